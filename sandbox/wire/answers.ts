import type { Dialect } from "../dialect/dialect";
import { encodeJson, encodeXml } from "./encode";
import { type Format, type Field, type Value, array, object, text } from "./value";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A list of rows in the panel's wrapping. */
export function listAnswer(names: ListNames, rows: readonly Value[], format: Format, dialect: Dialect): Answer {
  if (format === "xml") {
    const empty = rows.length === 0 && dialect.emptyListXml === "nilClasses";
    return encoded(200, empty ? "nil_classes" : names.list, array(names.item, rows), format, dialect);
  }
  const wrapped = dialect.wrapping === "items" ? rows.map((row) => object([[names.item, row]])) : rows;
  const list = array(names.item, wrapped);
  return encoded(200, names.list, dialect.wrapping === "whole" ? object([[names.list, list]]) : list, format, dialect);
}

export interface ListNames {
  readonly list: string;
  readonly item: string;
}

/** One object under its name: `{"virtual_machine":{…}}`, or a root element. */
export function itemAnswer(
  status: number,
  name: string,
  fields: readonly Field[],
  format: Format,
  dialect: Dialect,
): Answer {
  const value = object(fields);
  return encoded(status, name, format === "json" ? object([[name, value]]) : value, format, dialect);
}

export function errorAnswer(status: number, message: string, format: Format, dialect: Dialect): Answer {
  const list = array("error", [text(message)]);
  switch (dialect.errorBody) {
    case "list":
      return format === "json"
        ? encoded(status, "errors", object([["errors", list]]), format, dialect)
        : encoded(status, "errors", list, format, dialect);
    case "single":
      return encoded(status, "hash", object([["error", text(message)]]), format, dialect);
    case "fields": {
      const fields = object([["base", list]]);
      return encoded(status, "errors", format === "json" ? object([["errors", fields]]) : fields, format, dialect);
    }
    case "html":
      return htmlAnswer(status, message);
  }
}

export function noticeAnswer(message: string, format: Format, dialect: Dialect): Answer {
  return encoded(200, "hash", object([["notice", text(message)]]), format, dialect);
}

export function htmlAnswer(status: number, message: string): Answer {
  const safe = message.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!DOCTYPE html>\n<html><head><title>${safe}</title></head><body><h1>${safe}</h1></body></html>\n`,
  };
}

export function emptyAnswer(status: 201 | 204): Answer {
  return { status, headers: {}, body: "" };
}

function encoded(status: number, root: string, value: Value, format: Format, dialect: Dialect): Answer {
  const body =
    format === "json"
      ? encodeJson(value)
      : encodeXml(root, value, { names: dialect.xmlNames, datetimeType: dialect.xmlDatetimeType });
  return { status, headers: { "content-type": `application/${format}; charset=utf-8` }, body };
}
