import { writtenInputs } from "../inputs/restore-table";

/**
 * `ignoreChanges` for the restore, with the wildcard for everything spelled out. With `*` the engine would also pass the restore old values of its intent and of the previous restores, and a restore that was sent again since would seem unchanged.
 */
export function expandIgnoreChanges(ignoreChanges: readonly string[]): string[] {
  return ignoreChanges.flatMap((path) => (firstName(path) === "*" && isWhole(path) ? writtenInputs : [path]));
}

/**
 * `ignoreChanges` for the intent: the entries about inputs that it shares with its restore, so that both keep the same values. The wildcard is spelled out
 * here too: an intent must be replaced along with a previous restore of its machine.
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
 * The first name of a property path, like `timeouts.run`, `["timeouts"]`, `triggers[0]` or `*`. It reads a path as the engine does: dots in front are
 * skipped, `*` is a wildcard in all three spellings, and a path without a name matches everything.
 */
function firstName(path: string): string | undefined {
  const found = firstPart.exec(path);
  return found === null ? undefined : (found[1]?.replaceAll('\\"', '"') ?? found[2] ?? found[3] ?? "*");
}

const isWhole = (path: string): boolean => path.replace(firstPart, "") === "";
