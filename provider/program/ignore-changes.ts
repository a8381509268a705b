import { writtenInputs } from "../inputs/restore-table";

/** Expands `*` in a restore's `ignoreChanges` to input names: `*` itself would also keep the old intent and previous restores, and hide new runs. */
export function expandIgnoreChanges(ignoreChanges: readonly string[]): string[] {
  return ignoreChanges.flatMap((path) => (firstName(path) === "*" && isWhole(path) ? writtenInputs : [path]));
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
    const name = firstName(path);
    if (name === "*") return expandIgnoreChanges([path]);
    return name !== undefined && Object.hasOwn(intentInputs, name) ? [path] : [];
  });
}

const firstPart = /^\.*(?:\["((?:\\"|[^"])*)"\]|\[(\*|[+-]?\d+)\]|([^.[]+)|$)/;

/**
 * The first name in a property path such as `timeouts.run`, `["timeouts"]`, `triggers[0]` or `*`. Paths are read as the engine reads them: leading dots are
 * skipped, `*` is a wildcard in all three notations, and a path without a name matches everything.
 */
function firstName(path: string): string | undefined {
  const found = firstPart.exec(path);
  return found === null ? undefined : (found[1]?.replaceAll('\\"', '"') ?? found[2] ?? found[3] ?? "*");
}

const isWhole = (path: string): boolean => path.replace(firstPart, "") === "";
