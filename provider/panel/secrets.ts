import { inspect } from "node:util";

/** Removes secrets from text that came from elsewhere. */
export type Redact = (text: string) => string;

/** The value of the `Authorization` header. */
export function basicAuthorization(username: string, password: Secret): string {
  return `Basic ${base64(`${username}:${password.reveal()}`)}`;
}

/** What stands in place of a secret. */
export const mask = "[secret]";
/** Shorter secrets are part of many words and numbers: masking them everywhere would destroy the text. */
const minLength = 4;
/** Fewer characters of base64 match other text by chance. */
const minBase64Length = 6;
/** Shorter lines of a script or a configuration are part of many texts. */
const minLine = 8;

/**
 * Removes the password, and the header made of it: panels and proxies echo requests in error pages, and jobs print their environment. Other secrets in
 * a log are unknown to this process; `mask.ts` guesses them by their form.
 */
export function connectionRedactor(username: string, password: Secret): Redact {
  const plain = password.reveal();
  const encoded = [`${username}:${plain}`, plain].map(base64).flatMap((text) => [text, text.replace(/=+$/, "")]);
  return redactor([plain, ...encoded.filter((text) => text.length >= minBase64Length)]);
}

/** Removes other secrets, headers and variables that a program gives, and each line of a key or a script. */
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

/** A text as it is, in JSON, in an address and in a form. */
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

/** A password hidden from every print: `util.inspect` with `showHidden`, JSON, a template string. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}
