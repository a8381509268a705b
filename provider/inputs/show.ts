/** A value as a message quotes it: short and on one line, because it ends up in a terminal. */
export function show(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  if (typeof value === "string") return `"${onOneLine(value)}"`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export function onOneLine(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text).slice(1, -1);
}
