import type { Value } from "./value";

/** Encodes JSON by hand: `JSON.stringify` cannot write an integer above 2^53 as a number. */
export function encodeJson(value: Value): string {
  switch (value.kind) {
    case "integer":
      return value.digits;
    case "string":
    case "datetime":
      return JSON.stringify(value.text);
    case "boolean":
      return String(value.on);
    case "null":
      return "null";
    case "array":
      return `[${value.items.map(encodeJson).join(",")}]`;
    case "object":
      return `{${value.fields.map(([name, of]) => `${JSON.stringify(name)}:${encodeJson(of)}`).join(",")}}`;
  }
}

interface XmlStyle {
  readonly names: "underscore" | "hyphen";
  readonly datetimeType: "datetime" | "dateTime";
}

/** Encodes an XML document as the web framework of such panels does: `type` attributes, `nil="true"`. */
export function encodeXml(root: string, value: Value, style: XmlStyle): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, value, style, "")}`;
}

function element(name: string, value: Value, style: XmlStyle, indent: string): string {
  const tag = style.names === "hyphen" ? name.replaceAll("_", "-") : name;
  const line = (attributes: string, content: string): string => `${indent}<${tag}${attributes}>${content}</${tag}>\n`;
  const nested = (attributes: string, children: readonly string[]): string =>
    children.length === 0
      ? `${indent}<${tag}${attributes}/>\n`
      : `${indent}<${tag}${attributes}>\n${children.join("")}${indent}</${tag}>\n`;
  const deeper = `${indent}  `;
  switch (value.kind) {
    case "integer":
      return line(' type="integer"', value.digits);
    case "string":
      return line("", escape(value.text));
    case "datetime":
      return line(` type="${style.datetimeType}"`, escape(value.text));
    case "boolean":
      return line(' type="boolean"', String(value.on));
    case "null":
      return `${indent}<${tag} nil="true"/>\n`;
    case "array":
      return nested(
        ' type="array"',
        value.items.map((item) => element(value.itemName, item, style, deeper)),
      );
    case "object":
      return nested(
        "",
        value.fields.map(([key, of]) => element(key, of, style, deeper)),
      );
  }
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Characters that XML 1.0 forbids become a replacement character. */
function escape(text: string): string {
  return (
    text
      .replace(/[&<>]/g, (character) => entities[character] ?? character)
      // eslint-disable-next-line no-control-regex -- the characters XML 1.0 forbids
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD")
  );
}
