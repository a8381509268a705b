import { escapeMarkup } from "../../provider/plain/text";
import type { Dialect } from "../dialect/dialect";

export interface PanelRequest {
  readonly method: string;
  /** The path, including the query. */
  readonly path: string;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface PanelResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The name of the XML root element for a value that has no name in JSON. */
export const unnamed = "hash";

/** An XML document with this root element, or a JSON document with the value under the root's name. */
export function documentAnswer(
  status: number,
  root: string,
  value: Value,
  format: WireFormat,
  dialect: Dialect,
): PanelResponse {
  const body =
    format === "xml" ? encodeXml(root, value, dialect) : encodeJson(root === unnamed ? value : { [root]: value });
  return { status, headers: { "content-type": `application/${format}; charset=utf-8` }, body };
}

/** A list of rows, wrapped as the dialect requires. */
export function rowsAnswer(list: string, rows: AnswerRow[], format: WireFormat, dialect: Dialect): PanelResponse {
  if (format === "xml") return documentAnswer(200, list, rows, format, dialect);
  const wrapped = dialect.wrapping === "items" ? rows.map((row) => ({ [itemName(list)]: row })) : rows;
  return documentAnswer(200, dialect.wrapping === "whole" ? list : unnamed, wrapped, format, dialect);
}

export function errorAnswer(status: number, message: string, format: WireFormat, dialect: Dialect): PanelResponse {
  if (dialect.errorBody === "html") return htmlAnswer(status, message);
  if (dialect.errorBody === "single") return documentAnswer(status, unnamed, { error: message }, format, dialect);
  return documentAnswer(
    status,
    "errors",
    dialect.errorBody === "list" ? [message] : { base: [message] },
    format,
    dialect,
  );
}

export function htmlAnswer(status: number, message: string): PanelResponse {
  const safe = markupText(message);
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!DOCTYPE html>\n<html><head><title>${safe}</title></head><body><h1>${safe}</h1></body></html>\n`,
  };
}

export function withHeaders(answer: PanelResponse, headers: PanelResponse["headers"]): PanelResponse {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The format that a path's suffix names: `/transactions.json` or `/transactions.xml`. */
export type WireFormat = "json" | "xml";

/**
 * A value in an answer, before it is encoded as JSON or XML. An id is a `bigint`, because it may be too large for a JavaScript number but
 * must still be sent as a bare number.
 */
type Value = string | number | bigint | boolean | null | Stamp | Value[] | AnswerRow;

/** An object in an answer. Undefined members are left out. */
export interface AnswerRow {
  readonly [name: string]: Value | undefined;
}

/** A time as the panel writes it. In XML, it has a `type` attribute. */
export class Stamp {
  constructor(readonly text: string) {}
}

/** Encodes JSON by hand, because `JSON.stringify` cannot write an integer above 2^53 as a number. */
function encodeJson(value: Value): string {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Stamp) return JSON.stringify(value.text);
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${members(value, (name, member) => `${JSON.stringify(name)}:${encodeJson(member)}`).join(",")}}`;
}

/** Encodes an XML document as the web framework of such panels does, with `type` attributes and `nil="true"`. */
function encodeXml(root: string, value: Value, style: Pick<Dialect, "xmlNames">): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, value, style, "")}`;
}

function element(name: string, value: Value, style: Pick<Dialect, "xmlNames">, indent: string): string {
  const tag = style.xmlNames === "hyphen" ? name.replaceAll("_", "-") : name;
  const of = (type: string): string => `${tag} type="${type}"`;
  const line = (start: string, content: string): string => `${indent}<${start}>${content}</${tag}>\n`;
  const nested = (start: string, children: readonly string[]): string =>
    children.length === 0 ? `${indent}<${start}/>\n` : line(start, `\n${children.join("")}${indent}`);
  const inside = (child: string, of: Value): string => element(child, of, style, `${indent}  `);
  if (value === null) return `${indent}<${tag} nil="true"/>\n`;
  if (value instanceof Stamp) return line(of("datetime"), markupText(value.text));
  if (Array.isArray(value)) {
    const items = value.map((item) => inside(itemName(name), item));
    return nested(of("array"), items);
  }
  if (typeof value === "object") return nested(tag, members(value, inside));
  if (typeof value === "string") return line(tag, markupText(value));
  return line(of(typeof value === "boolean" ? "boolean" : "integer"), String(value));
}

/** The name of a list's items: `transaction` for `transactions`, and `error` for `base`, the list of errors that are not about a field. */
function itemName(list: string): string {
  return list === "base" ? "error" : list.replace(/s$/, "");
}

function members<T>(row: AnswerRow, write: (name: string, value: Value) => T): T[] {
  return Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [write(name, value)]));
}

/** Text for an element of XML or HTML. Characters that XML 1.0 forbids become a replacement character. */
function markupText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the characters XML 1.0 forbids
  return escapeMarkup(text).replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD");
}
