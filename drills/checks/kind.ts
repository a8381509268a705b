import { childPath, type ReadContext, readPlainObject } from "../../provider/inputs/problems";
import { entriesOf } from "../../provider/plain/plain";

export interface AttemptResult {
  /** Why the attempt did not pass, in a few words, without quoting anything received. Undefined if it passed. */
  readonly problem?: string;
  readonly output?: string;
}

/** Makes one attempt within `limitMs`; cleaning up may take a little longer. Never rejects. */
export type CheckAttempt = (limitMs: number) => Promise<AttemptResult>;

/** The number of bytes to read from a response or a command's output. */
export const maxOutputBytes = 1024 * 1024;

/** Returns a system error's code, or else the error's name. Neither quotes the request. */
export function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
}

/** A kind of check: everything that plans, waves and the schema need to know about it. */
export interface CheckKind<Probe extends object> {
  /** The property that selects the kind, and those that only this kind has. Each function reports what is wrong with a value. */
  readonly properties: { readonly [Name in keyof Probe]-?: ReportProblems };
  readonly attempt: (probe: Probe) => CheckAttempt;
  /** The host, for the default name of a check. `given` has not been validated, so it may be anything. */
  readonly host?: (given: unknown) => string | undefined;
  /** The strings in the probe that must not be shown. */
  readonly secrets: (probe: Probe) => readonly string[];
}

/** Adds the problems of a value to the context. Ignores values that are still unknown. */
type ReportProblems = (value: unknown, path: string, context: ReadContext) => void;

/** `problemOf`: why a known value is invalid, as text to append to the value's path. */
export const leaf =
  (problemOf: (value: unknown) => string | undefined): ReportProblems =>
  (value, path, { isUnknown, problems }) => {
    const problem = isUnknown(value) ? undefined : problemOf(value);
    if (problem !== undefined) problems.add(path, problem);
  };

export const namedTexts =
  (problemOf: (name: string, text: unknown) => string | undefined): ReportProblems =>
  (value, path, context) => {
    if (context.isUnknown(value)) return;
    const given = readPlainObject(value, path, "an object of strings", context.problems);
    for (const [name, text] of entriesOf(given))
      leaf((known) => problemOf(name, known))(text, childPath(path, name), context);
  };
