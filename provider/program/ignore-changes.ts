import { writtenInputs } from "../inputs/restore-table";

/** Spells out `*` in a restore's `ignoreChanges`. It would also keep the old values of intent and previous restores, and hide that these ran again. */
export function expandIgnoreChanges(ignoreChanges: readonly string[]): string[] {
  return ignoreChanges.flatMap((path) => (firstName(path) === "*" && isWhole(path) ? writtenInputs : [path]));
}

/**
 * `ignoreChanges` for the intent: only the entries about inputs that it shares with its restore, so that both keep the same values. `*` is spelled out here
 * too, because an intent must be replaced along with a previous restore of its machine.
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
 * The first name in a property path, like `timeouts.run`, `["timeouts"]`, `triggers[0]` or `*`. Paths are read as the engine reads them: leading dots are
 * skipped, `*` is a wildcard in all three spellings, and a path without a name matches everything.
 */
function firstName(path: string): string | undefined {
  const found = firstPart.exec(path);
  return found === null ? undefined : (found[1]?.replaceAll('\\"', '"') ?? found[2] ?? found[3] ?? "*");
}

const isWhole = (path: string): boolean => path.replace(firstPart, "") === "";
