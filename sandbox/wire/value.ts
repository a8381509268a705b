/** What a path's ending asks for: `/transactions.json` or `/transactions.xml`. */
export type Format = "json" | "xml";

/**
 * What an answer of the panel is made of, before it becomes JSON or XML. An integer is kept as its digits: an id
 * may be larger than a JavaScript number can hold, and must still go out as a bare number.
 */
export type Value =
  | { readonly kind: "integer"; readonly digits: string }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "boolean"; readonly on: boolean }
  | { readonly kind: "datetime"; readonly text: string }
  | { readonly kind: "null" }
  | { readonly kind: "array"; readonly itemName: string; readonly items: readonly Value[] }
  | { readonly kind: "object"; readonly fields: readonly Field[] };

export type Field = readonly [name: string, value: Value];

export const nothing: Value = { kind: "null" };

export function text(value: string): Value {
  return { kind: "string", text: value };
}

export function integer(value: number | string): Value {
  return { kind: "integer", digits: String(value) };
}

export function boolean(on: boolean): Value {
  return { kind: "boolean", on };
}

export function object(fields: readonly Field[]): Value {
  return { kind: "object", fields };
}

export function array(itemName: string, items: readonly Value[]): Value {
  return { kind: "array", itemName, items };
}

/** An id the way a panel sends it: a number where it is one, text where it is not. */
export function id(value: string | undefined): Value {
  if (value === undefined) return nothing;
  return /^(0|[1-9][0-9]*)$/.test(value) ? integer(value) : text(value);
}
