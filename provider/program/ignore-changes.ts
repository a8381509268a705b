import { writtenInputs } from "../inputs/restore-table";

/** Expands `*` in a restore's `ignoreChanges` to input names: `*` itself would also keep the old intent and previous restores, and hide new runs. */
export function expandIgnoreChanges(ignoreChanges: readonly string[]): string[] {
  return ignoreChanges.flatMap((path) => (path === "*" ? writtenInputs : [path]));
}

/**
 * `ignoreChanges` for the intent: only the entries for inputs that the intent shares with its restore, so that both keep the same values. `*` is expanded
 * here too, because an intent must be replaced along with a previous restore of its machine.
 */
export function intentIgnoreChanges(
  ignoreChanges: readonly string[],
  intentInputs: Readonly<Record<string, unknown>>,
): string[] {
  return ignoreChanges.flatMap((path) => {
    const [name = ""] = path.split(/[.[]/);
    return path === "*" ? writtenInputs : Object.hasOwn(intentInputs, name) ? [path] : [];
  });
}
