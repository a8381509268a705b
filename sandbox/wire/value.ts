/** The format in a path's ending: `/transactions.json` or `/transactions.xml`. */
export type Format = "json" | "xml";

/**
 * A value of an answer, before it is encoded as JSON or XML. An integer is kept as digits: an id may be too large for a JavaScript
 * number, and must still be sent as a bare number.
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

/** An id as a panel sends it: a number if it is decimal, else text. */
export function id(value: string | undefined): Value {
  if (value === undefined) return nothing;
  return /^(0|[1-9][0-9]*)$/.test(value) ? integer(value) : text(value);
}
