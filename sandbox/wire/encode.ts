import { escapeMarkup } from "../../provider/plain/text";
import type { Dialect } from "../dialect/dialect";

/** The format in a path's ending: `/transactions.json` or `/transactions.xml`. */
export type Format = "json" | "xml";

/**
 * A value of an answer, before it is encoded as JSON or XML. An id is a `bigint`: it may be too large for a JavaScript number, and must
 * still be sent as a bare number.
 */
export type Value = string | number | bigint | boolean | null | Stamp | Value[] | Row;

/** An object of an answer. Undefined members are left out. */
export interface Row {
  readonly [name: string]: Value | undefined;
}

/** A time as the panel writes it. XML marks it with a type. */
export class Stamp {
  constructor(readonly text: string) {}
}

/** Encodes JSON by hand: `JSON.stringify` cannot write an integer above 2^53 as a number. */
export function encodeJson(value: Value): string {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Stamp) return JSON.stringify(value.text);
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${members(value, (name, member) => `${JSON.stringify(name)}:${encodeJson(member)}`).join(",")}}`;
}

type XmlStyle = Pick<Dialect, "xmlNames" | "xmlDatetimeType">;

/** Encodes an XML document as the web framework of such panels does: `type` attributes, `nil="true"`. */
export function encodeXml(root: string, value: Value, style: XmlStyle): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, value, style, "")}`;
}

function element(name: string, value: Value, style: XmlStyle, indent: string): string {
  const tag = style.xmlNames === "hyphen" ? name.replaceAll("_", "-") : name;
  const of = (type: string): string => `${tag} type="${type}"`;
  const line = (start: string, content: string): string => `${indent}<${start}>${content}</${tag}>\n`;
  const nested = (start: string, children: readonly string[]): string =>
    children.length === 0 ? `${indent}<${start}/>\n` : line(start, `\n${children.join("")}${indent}`);
  const inside = (child: string, of: Value): string => element(child, of, style, `${indent}  `);
  if (value === null) return `${indent}<${tag} nil="true"/>\n`;
  if (value instanceof Stamp) return line(of(style.xmlDatetimeType), markupText(value.text));
  if (Array.isArray(value)) {
    const items = value.map((item) => inside(itemName(name), item));
    return nested(of("array"), items);
  }
  if (typeof value === "object") return nested(tag, members(value, inside));
  if (typeof value === "string") return line(tag, markupText(value));
  return line(of(typeof value === "boolean" ? "boolean" : "integer"), String(value));
}

/** The name of an item in a list: a `transaction` of `transactions`, and an `error` of the list that concerns no field. */
export function itemName(list: string): string {
  return list === "base" ? "error" : list.replace(/s$/, "");
}

function members<T>(row: Row, write: (name: string, value: Value) => T): T[] {
  return Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [write(name, value)]));
}

/** Text for an element of XML or HTML. Characters that XML 1.0 forbids become a replacement character. */
export function markupText(text: string): string {
  // eslint-disable-next-line no-control-regex -- the characters XML 1.0 forbids
  return escapeMarkup(text).replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD");
}
