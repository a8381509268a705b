import type { Format } from "../../../provider/panel/types";

/** A value of a field as JSON holds it. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };
export type Fields = Readonly<Record<string, Plain>>;

/** How a list is wrapped on the wire. */
export type Wrap = "bare" | "each" | "whole" | "whole and each";

interface XmlStyle {
  readonly hyphens: boolean;
  readonly cdata: boolean;
  readonly indent: boolean;
}

const plainXml: XmlStyle = { hyphens: false, cdata: false, indent: true };

/** A list of items as a panel would send it. */
export function encodeList(
  items: readonly Fields[],
  names: { readonly list: string; readonly item: string },
  format: Format,
  options: { readonly wrap?: Wrap; readonly style?: XmlStyle } = {},
): string {
  if (format === "json") return JSON.stringify(wrapped(items, names, options.wrap ?? "each"));
  const style = options.style ?? plainXml;
  const gap = style.indent ? "\n  " : "";
  const rows = items.map((item) => `${gap}${element(names.item, item, style)}`).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${names.list} type="array">${rows}</${names.list}>\n`;
}

export const transactionNames = { list: "transactions", item: "transaction" };
export const logItemNames = { list: "log_items", item: "log_item" };

function wrapped(items: readonly Fields[], names: { list: string; item: string }, wrap: Wrap): unknown {
  const each = wrap === "each" || wrap === "whole and each";
  const rows = items.map((item) => (each ? { [names.item]: item } : item));
  return wrap.startsWith("whole") ? { [names.list]: rows } : rows;
}

function element(name: string, value: Plain, style: XmlStyle): string {
  const tag = style.hyphens ? name.replaceAll("_", "-") : name;
  if (value === null) return `<${tag} nil="true"/>`;
  if (typeof value === "boolean") return `<${tag} type="boolean">${String(value)}</${tag}>`;
  if (typeof value === "number") {
    return `<${tag} type="${Number.isInteger(value) ? "integer" : "float"}">${String(value)}</${tag}>`;
  }
  if (typeof value === "string") {
    const type = name.endsWith("_at") ? ' type="datetime"' : "";
    return `<${tag}${type}>${style.cdata ? cdata(value) : escaped(value)}</${tag}>`;
  }
  if (isList(value)) {
    const inner = value.map((member) => element(name, member, style)).join("");
    return `<${tag} type="array">${inner}</${tag}>`;
  }
  const gap = style.indent ? "\n    " : "";
  const inner = Object.entries(value).map(([key, member]) => `${gap}${element(key, member, style)}`);
  return `<${tag}>${inner.join("")}${gap}</${tag}>`;
}

function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value);
}

function cdata(text: string): string {
  // A carriage return outside an entity would be read as a line feed.
  if (text.includes("\r")) return escaped(text);
  return `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;")
    .replaceAll("\r", "&#xD;")
    .replaceAll("\u00A0", "&#160;");
}
