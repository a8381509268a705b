import { maskedFacts } from "./facts";
import type { Row } from "./types";

export type Redact = (text: string) => string;

export function basicAuthorization(username: string, password: Secret): string {
  return `Basic ${base64(`${username}:${password.reveal()}`)}`;
}

export const mask = "[secret]";
/** Shorter secrets are part of many words and numbers, so masking them everywhere would destroy the text. */
const minLength = 4;
/** Shorter base64 may match other text by chance. */
const minBase64Length = 6;
/** Shorter lines of a script or a configuration file also occur in other text. */
const minLine = 8;

/** Removes the password and the authorization header made from it, because panels echo requests in error pages, and jobs print their environments. */
export function connectionRedactor(username: string, password: Secret): Redact {
  const plain = password.reveal();
  const encoded = [`${username}:${plain}`, plain].map(base64).flatMap((text) => [text, text.replace(/=+$/, "")]);
  return redactor([plain, ...encoded.filter((text) => text.length >= minBase64Length)]);
}

/** Removes other secrets that a program passes, such as headers and variables, and each line of a key or a script. */
export function secretsRedactor(secrets: readonly string[]): Redact {
  const lines = secrets.flatMap((secret) => secret.split(/[\r\n]+/)).filter((line) => line.trim().length >= minLine);
  return redactor([...secrets, ...lines]);
}

function redactor(secrets: readonly string[]): Redact {
  const spelled = new Set(secrets.filter((secret) => secret !== "").flatMap(spellings));
  const patterns = [...spelled]
    .sort((a, b) => b.length - a.length)
    .map((one) => (one.length < minLength ? new RegExp(`(?<!\\w)${escapeRegExp(one)}(?!\\w)`, "g") : one));
  return (text) => patterns.reduce<string>((rest, pattern) => rest.replaceAll(pattern, mask), text);
}

function spellings(text: string): readonly string[] {
  const form = new URLSearchParams({ "": text }).toString().slice(1);
  const escaped = [encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd")), form, form.replaceAll("+", "%20")];
  const inLowerCase = escaped.map((one) => one.replace(/%../g, (code) => code.toLowerCase()));
  return [text, JSON.stringify(text).slice(1, -1), ...escaped, ...inLowerCase];
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

/** Masks a row for display and storage. All of its text comes from its fields, so if they contain no secret, nothing is masked. */
export function maskedRow<Item extends { readonly fields: object; readonly facts?: Row }>(
  row: Item,
  redact: Redact,
): Item {
  if (masked(row.fields, redact) === row.fields) return row;
  const mask = (text: string): string => maskDeep(text, redact) as string;
  // The names of the row's members come from this package, so they need no masking.
  return Object.fromEntries(
    Object.entries(row).map(([name, member]) => [
      name,
      name === "facts" ? maskedFacts(member as Row, mask) : maskDeep(member, redact),
    ]),
  ) as Item;
}

/** Masks every secret in plain data, including in names. Returns the same object if it contains no secret. */
export function masked<T>(value: T, redact: Redact): T {
  const texts: string[] = [];
  collectTexts(value, texts);
  const all = texts.join("\n");
  return redact(all) === all ? value : (maskDeep(value, redact) as T);
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    texts.push(name);
    collectTexts(member, texts);
  }
}

/** Matches ids, numbers and times, which are not masked, because a password made of digits may be part of many of them. */
const digits = /^[\d\s:.,+TZ-]*$/;

function maskDeep(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return digits.test(value) ? value : redact(value);
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [redact(name), maskDeep(member, redact)]));
}

/** A password in a private field, so that it stays hidden however it is printed: by `util.inspect` with `showHidden`, as JSON, or in a template string. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }
}
