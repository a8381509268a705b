import { toUSVString } from "node:util";

/**
 * Makes text that may quote the panel safe for a terminal. Raw control characters would affect the terminal. The engine
 * interprets `<{%…%}>` in any message or output as one of its own color codes; an unknown code ends the run and leaves the stack locked.
 */
export function forTerminal(text: string): string {
  return engineSafeText(text.replaceAll(/(?![\n\t])\p{Cc}/gu, "\u{fffd}"));
}

/** True if the engine can carry and print plain data unchanged. */
export function isEngineSafe(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return engineSafeText(String(value)) === String(value);
  return Object.entries(value).every(([key, property]) => isEngineSafe(key) && isEngineSafe(property));
}

/** Makes every string in plain data safe for the engine, at any depth. Property names are strings too. */
export function engineSafeData<T>(value: T): T {
  return cleanDeep(value) as T;
}

function cleanDeep(value: unknown): unknown {
  if (typeof value === "string") return engineSafeText(value);
  if (Array.isArray(value)) return value.map(cleanDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [engineSafeText(key), cleanDeep(property)]));
}

/** Makes text safe for the engine. Its protocol cannot carry a lone surrogate, which truncated text may contain. */
export function engineSafeText(text: string): string {
  return toUSVString(text).replaceAll("<{%", "<{ %");
}

/** The message of a thrown value, which may be of any type. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const longestShown = 60;

export const shortText = (text: string, most = longestShown): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

/** Shows an invalid value in a message: short and on one line, because it ends up in a terminal. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  if (typeof value === "string") return `"${onOneLine(value)}"`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Shortens a string and escapes its control characters, without surrounding quotes. */
export function onOneLine(text: string): string {
  return JSON.stringify(shortText(text)).slice(1, -1);
}

/** The command that sets a list of words. */
export const setWords = (name: string, words: readonly string[]): string =>
  settingLine(name, words, words.every(isPlain) && words.join(","));

/** Only a new `adopt` counts, and only for a transaction that had ended by then, because its user judges the end. */
export const setAdopt = ({ adopt }: { readonly adopt?: string | undefined }, id: string): string =>
  `${adopt === id ? "remove adopt, run `pulumi up`, and " : ""}set adopt: "${id}"`;

/** The command that sets `recovery:fields`. */
export function setFields(fields: Readonly<Record<string, string | readonly string[]>>): string {
  const pairs = Object.entries(fields).map(([key, path]) => `${key}=${[path].flat().join(",")}`);
  const arePlain = Object.values(fields)
    .flat()
    .every((path) => isPlain(path) && !path.includes(" "));
  return settingLine("fields", fields, arePlain && pairs.join(" "));
}

/** Whether text means the same in the double quotes of every shell, and in a list. */
const isPlain = (text: string): boolean => /^(?![ -])[^"$`\\!%,=[\]\p{Cc}]+(?<! )$/u.test(text);

/** Some shells on Windows cannot read JSON in single quotes, so it is used only if the value has no plain form. */
function settingLine(name: string, value: object, plain: string | false): string {
  const json = JSON.stringify(value).replaceAll("'", "\\u0027");
  return `pulumi config set recovery:${name} ${plain === false ? `'${json}'` : `"${plain}"`}`;
}

export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const transactionsNamed = (ids: readonly string[]): string =>
  `transaction${ids.length < 2 ? "" : "s"} ${ids.join(", ")}`;

/** Lists only the first few items in a sentence, because a panel may have shown hundreds. */
export function firstFew(items: readonly string[], most = 5): string {
  const first = items.slice(0, most).join(", ");
  return items.length > most ? `${first} and ${String(items.length - most)} more` : first;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // HTML before version 5 does not have &apos;.
  "'": "&#39;",
};

/** Escapes text for HTML and for XML, as content and as a quoted attribute. Characters that XML cannot contain are left as they are. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
