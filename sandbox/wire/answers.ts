import type { Dialect } from "../dialect/dialect";
import { encodeJson, encodeXml, markupText, type Format, itemName, type Row, type Value } from "./encode";

export interface PanelRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface PanelResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type Answer = PanelResponse;

/** The root of an XML document that has no name in JSON. */
export const unnamed = "hash";

/** An XML document with this root, or the same value in JSON under the root's name. */
export function documentAnswer(status: number, root: string, value: Value, format: Format, dialect: Dialect): Answer {
  const body =
    format === "xml" ? encodeXml(root, value, dialect) : encodeJson(root === unnamed ? value : { [root]: value });
  return { status, headers: { "content-type": `application/${format}; charset=utf-8` }, body };
}

/** A list of rows in the panel's wrapping. */
export function listAnswer(list: string, rows: Row[], format: Format, dialect: Dialect): Answer {
  if (format === "xml") {
    const empty = rows.length === 0 && dialect.emptyListXml === "nilClasses";
    return documentAnswer(200, empty ? "nil_classes" : list, rows, format, dialect);
  }
  const wrapped = dialect.wrapping === "items" ? rows.map((row) => ({ [itemName(list)]: row })) : rows;
  return documentAnswer(200, dialect.wrapping === "whole" ? list : unnamed, wrapped, format, dialect);
}

export function errorAnswer(status: number, message: string, format: Format, dialect: Dialect): Answer {
  switch (dialect.errorBody) {
    case "list":
      return documentAnswer(status, "errors", [message], format, dialect);
    case "single":
      return documentAnswer(status, unnamed, { error: message }, format, dialect);
    case "fields":
      return documentAnswer(status, "errors", { base: [message] }, format, dialect);
    case "html":
      return htmlAnswer(status, message);
  }
}

export function htmlAnswer(status: number, message: string): Answer {
  const safe = markupText(message);
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!DOCTYPE html>\n<html><head><title>${safe}</title></head><body><h1>${safe}</h1></body></html>\n`,
  };
}

export function emptyAnswer(status: 201 | 204, headers: Answer["headers"] = {}): Answer {
  return { status, headers, body: "" };
}

export function withHeaders(answer: Answer, headers: Answer["headers"]): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
