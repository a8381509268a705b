/**
 * An intent must be replaced exactly when its restore is. For what says which restore it is both sides see to
 * that themselves; but `replaceOnChanges` makes the engine replace the restore over any input. So the intent is given the
 * inputs named there as well, and the same list.
 */
export function followReplaceOnChanges(
  replaceOnChanges: readonly string[],
  restoreInputs: Readonly<Record<string, unknown>>,
): { readonly inputs: Readonly<Record<string, unknown>>; readonly replaceOnChanges: string[] } {
  const followed = replaceOnChanges.filter((path) => namesInput(path, optionalInputs) || namesInput(path, ownInputs));
  const inputs = Object.entries(restoreInputs).filter(
    ([name, value]) => value !== undefined && optionalInputs.has(name) && followed.some((path) => covers(path, name)),
  );
  return { inputs: Object.fromEntries(inputs), replaceOnChanges: followed };
}

/** `ignoreChanges` for the intent: the entries about inputs that it shares with its restore, which then stay equal on both. */
export function followIgnoreChanges(
  ignoreChanges: readonly string[],
  intentInputs: Readonly<Record<string, unknown>>,
): string[] {
  return ignoreChanges.filter((path) => namesInput(path, new Set(Object.keys(intentInputs))));
}

const ownInputs: ReadonlySet<string> = new Set(["virtualMachineId", "recoveryPointId", "paths", "triggers"]);
const optionalInputs: ReadonlySet<string> = new Set(["timeouts", "wait", "adopt", "retryFailed", "captureLog"]);

function namesInput(path: string, names: ReadonlySet<string>): boolean {
  return [...names].some((name) => covers(path, name));
}

/** Whether a property path, like `timeouts.run`, `["timeouts"]`, `triggers[0]` or `*`, lies within the input or holds it. */
function covers(path: string, name: string): boolean {
  const [, bracketed, plain] = /^\s*(?:\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+))/.exec(path) ?? [];
  const first = bracketed ?? plain;
  return first === "*" || first === name;
}
