import { decidingInputs, writtenInputs } from "../inputs/restore-table";

/**
 * `replaceOnChanges` with every wildcard spelled out. The engine lets a wildcard match its own record of an error (`#initerror`) too. It would
 * replace an unfinished or cancelled restore, and the new one, with the old intent, would be posted again. So only names of real inputs are passed
 * on; other entries could never match a changed input.
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
 * The inputs and the `replaceOnChanges` of an intent. An intent must be replaced exactly when its restore is. Both are replaced over a deciding
 * input, but `replaceOnChanges` makes the engine replace the restore over any input. So the intent gets the inputs named there too, and the
 * same list.
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

/** The inputs that an intent shares with its restore because of `replaceOnChanges`. */
export interface SharedInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly replaceOnChanges: string[];
  /** The named parts of an input, like `run` of `timeouts`; undefined if the whole input is named. */
  readonly partsOf: (name: string) => ReadonlySet<string> | undefined;
}

/**
 * `ignoreChanges` for the restore, with the wildcard for everything spelled out. With `*` the engine would also pass the restore old values of its intent and of the previous restores, and a restore that was sent again since would seem unchanged.
 */
export function expandIgnoreChanges(ignoreChanges: readonly string[]): string[] {
  return ignoreChanges.flatMap((path) => {
    const first = firstSegment(path);
    return first?.name === "*" && first.rest === "" ? writtenInputs : [path];
  });
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
    const first = firstSegment(path);
    if (first === undefined) return [];
    if (first.name === "*") return expandIgnoreChanges([path]);
    return Object.hasOwn(intentInputs, first.name) ? [path] : [];
  });
}

function isInputName(name: string): boolean {
  return writtenInputs.some((input) => input === name);
}

function isDecidingInput(name: string): boolean {
  return decidingInputs.some((input) => input === name);
}

/**
 * The first name of a property path, like `timeouts.run`, `["timeouts"]`, `triggers[0]` or `*`, and the rest of the path. It reads a path as
 * the engine does: dots in front are skipped, `*` is a wildcard in all three spellings, and a path without a name matches everything.
 */
function firstSegment(path: string): { readonly name: string; readonly rest: string } | undefined {
  const found = /^\.*(?:\["((?:\\"|[^"])*)"\]|\[(\*|[+-]?\d+)\]|([^.[]+)|$)/.exec(path);
  if (found === null) return undefined;
  const [whole, quoted, index, plain] = found;
  const name = quoted?.replaceAll('\\"', '"') ?? index ?? plain ?? "*";
  return { name, rest: path.slice(whole.length) };
}
