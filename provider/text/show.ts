const longest = 60;

/** A value that cannot be right, as a message names it: short and on one line, because it ends up in a terminal. */
export function show(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  if (typeof value === "string") return `"${onOneLine(value)}"`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A text without quotes around it, shortened, its control characters spelled out. */
export function onOneLine(text: string): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text).slice(1, -1);
}
