import type { Value } from "./value";

/** Written by hand for one reason: `JSON.stringify` cannot write an integer beyond 2^53 as a number. */
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
