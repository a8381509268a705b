import { toUSVString } from "node:util";

/**
 * Text that may quote the panel, made safe for the user's terminal: control characters would steer it, and the
 * engine takes `<{%…%}>` in any message or output for a colour of its own and ends the whole run over one it does not
 * know, with the stack left locked.
 */
export function forTerminal(text: string): string {
  return engineSafeText(text.replaceAll(/(?![\n\t])\p{Cc}/gu, "\u{fffd}"));
}

/** Whether the engine can carry and print plain data as it is: nothing in it would have to be taken out. */
export function isEngineSafe(value: unknown): boolean {
  if (typeof value === "string") return engineSafeText(value) === value;
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, property]) => isEngineSafe(key) && isEngineSafe(property));
}

/** Plain data in which no text, at any depth, holds what the engine cannot carry. Names of properties are texts too. */
export function engineSafeData<T>(value: T): T {
  return cleanDeep(value) as T;
}

function cleanDeep(value: unknown): unknown {
  if (typeof value === "string") return engineSafeText(value);
  if (Array.isArray(value)) return value.map(cleanDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [engineSafeText(key), cleanDeep(property)]));
}

/** Text as the engine can carry it. Half a character pair, as a cut text may hold, is nothing its protocol can carry either. */
export function engineSafeText(text: string): string {
  return toUSVString(text).replaceAll("<{%", "<{ %");
}

/** What was thrown, as text: anything can be. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const longestShown = 60;

/** A value that cannot be right, as a message names it: short and on one line, because it ends up in a terminal. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  if (typeof value === "string") return `"${onOneLine(value)}"`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A text without quotes around it, shortened, its control characters spelled out. */
export function onOneLine(text: string): string {
  return JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text).slice(1, -1);
}

/** A list for a sentence: a panel may have shown hundreds. */
export function firstFew(items: readonly string[], most = 5): string {
  const first = items.slice(0, most).join(", ");
  return items.length > most ? `${first} and ${String(items.length - most)} more` : first;
}
