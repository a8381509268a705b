import { show } from "../../text/show";

/** A date with a time and a zone. Without a zone, the same text would be another moment on another runner. */
const stamp = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

export function stampProblem(value: unknown): string | undefined {
  if (typeof value === "string" && stamp.test(value) && !Number.isNaN(Date.parse(value))) return undefined;
  return ` is ${show(value)}: give a time with its zone, like "2026-11-20T02:00:00Z"`;
}
