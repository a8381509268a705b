import assert from "node:assert/strict";

export const turnedAway = { faults: { get: { unauthorized: true } } } as const;
export const fromThePanel = /getTransactions: could not read the transaction list on .*did not accept the user name/;
export const atOnce = /getTransactions: no request was made: limit is 0/;

/** What the engine tells at the end of a run, the error's own lines in it, and nothing that could only come from a stack. */
export function errorsIn(output: string): string[] {
  assert.doesNotMatch(output, /PromiseRejectionHandledWarning|^\s+at |\[cause\]|CredentialsError|RunError/m);
  return output
    .slice(output.indexOf("Diagnostics:"))
    .split("\n")
    .filter((line) => /^ +error: /.test(line));
}
