import { decidingInputs, writtenInputs } from "../inputs/restore-table";

/**
 * `replaceOnChanges` with every wildcard spelled out. The engine lets one match its own memory of an error as well, and would replace
 * a restore because it is unfinished or was cancelled: the new one has the old intent and would be posted again. So only
 * names of real inputs are handed on; an entry about anything else could never match a change of an input and is left out.
 */
export function expandReplaceOnChanges(replaceOnChanges: readonly string[]): string[] {
  const expanded = replaceOnChanges.flatMap((path) => {
    const first = firstSegment(path);
    // A path that cannot be read is left to the engine, which refuses it.
    if (first === undefined) return [path];
    if (first.name === "*") return writtenInputs.map((name) => name + first.rest);
    return isInputName(first.name) ? [path] : [];
  });
  return [...new Set(expanded)];
}

/**
 * An intent must be replaced exactly when its restore is. For what says which restore it is both sides see to
 * that themselves; but `replaceOnChanges` makes the engine replace the restore over any input. So the intent is given the
 * inputs named there as well, and the same list.
 */
export function intentReplaceOnChanges(
  replaceOnChanges: readonly string[],
  restoreInputs: Readonly<Record<string, unknown>>,
): SharedInputs {
  const expanded = expandReplaceOnChanges(replaceOnChanges);
  const named = new Set(expanded.map((path) => firstSegment(path)?.name));
  const inputs = Object.entries(restoreInputs).filter(
    ([name, value]) => value !== undefined && isInputName(name) && !isDecidingInput(name) && named.has(name),
  );
  return {
    inputs: Object.fromEntries(inputs),
    replaceOnChanges: expanded,
    partsOf: (name) => {
      const below = expanded
        .map(firstSegment)
        .flatMap((path) => (path?.name === name ? [firstSegment(path.rest)?.name ?? "*"] : []));
      return below.includes("*") ? undefined : new Set(below);
    },
  };
}

/** What an intent is given beside what decides. */
export interface SharedInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly replaceOnChanges: string[];
  /** The parts of an input that alone are named, like `run` of `timeouts`; undefined where all of it is. */
  readonly partsOf: (name: string) => ReadonlySet<string> | undefined;
}

/**
 * `ignoreChanges` for the restore, with the wildcard for everything spelled out: the engine would hand it an old word of its intent and of the
 * restores before it as well, and one of them that was sent again since would seem to be as it was.
 */
export function expandIgnoreChanges(ignoreChanges: readonly string[]): string[] {
  return ignoreChanges.flatMap((path) => {
    const first = firstSegment(path);
    return first?.name === "*" && first.rest === "" ? writtenInputs : [path];
  });
}

/** `ignoreChanges` for the intent: the entries about inputs that it shares with its restore, which then stay equal on both. */
export function intentIgnoreChanges(
  ignoreChanges: readonly string[],
  intentInputs: Readonly<Record<string, unknown>>,
): string[] {
  return ignoreChanges.filter((path) => {
    const first = firstSegment(path);
    return first !== undefined && (first.name === "*" || Object.hasOwn(intentInputs, first.name));
  });
}

function isInputName(name: string): boolean {
  return writtenInputs.some((input) => input === name);
}

function isDecidingInput(name: string): boolean {
  return decidingInputs.some((input) => input === name);
}

/**
 * The first name of a property path, like `timeouts.run`, `["timeouts"]`, `triggers[0]` or `*`, and what follows it, read as the
 * engine reads it: dots in front count for nothing, a `*` is a wildcard in all three spellings, and a path without
 * any name holds everything.
 */
function firstSegment(path: string): { readonly name: string; readonly rest: string } | undefined {
  const found = /^\.*(?:\["((?:\\"|[^"])*)"\]|\[(\*|[+-]?\d+)\]|([^.[]+)|$)/.exec(path);
  if (found === null) return undefined;
  const [whole, quoted, index, plain] = found;
  const name = quoted?.replaceAll('\\"', '"') ?? index ?? plain ?? "*";
  return { name, rest: path.slice(whole.length) };
}
