import { isObject } from "../../plain/is-object";

/** How one kind of item is named on the wire: as a list, as an item, and as the items' wrapper. */
export interface Noun {
  readonly lists: readonly string[];
  readonly items: readonly string[];
}

export const transactionNoun: Noun = { lists: ["transactions"], items: ["transaction"] };
export const logItemNoun: Noun = { lists: ["log_items", "logs"], items: ["log_item", "log"] };

/** Panels write some names with hyphens in XML. */
export function canonical(name: string): string {
  return name.replaceAll("-", "_").toLowerCase();
}

/**
 * The rows of a list, however it is wrapped: bare, each row in an object of its own, the whole in an object, one
 * row alone. Undefined when the value is no list of this kind.
 */
export function rowsOf(value: unknown, noun: Noun): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.map((row: unknown) => unwrapped(row, noun));
  if (!isObject(value)) return undefined;
  const list = member(value, noun.lists);
  if (list === null) return [];
  if (list !== undefined) return rowsOf(list, noun) ?? (isObject(list) ? [list] : undefined);
  const item = member(value, noun.items);
  if (item === null) return [];
  return item === undefined ? undefined : rowsOf(Array.isArray(item) ? item : [item], noun);
}

function unwrapped(row: unknown, noun: Noun): unknown {
  if (!isObject(row)) return row;
  const item = Object.keys(row).length === 1 ? member(row, noun.items) : undefined;
  return item === undefined ? row : item;
}

function member(object: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  for (const key of Object.keys(object)) {
    if (names.includes(canonical(key))) return object[key];
  }
  return undefined;
}
