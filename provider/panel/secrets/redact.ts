import type { Secret } from "./secret";
import { spelledAsBase64, spelledOut, withinBase64 } from "./spellings";

/** Takes what must not be seen out of text that came from elsewhere. */
export type Redact = (text: string) => string;

/** The value of the `Authorization` header. */
export function basicAuthorization(username: string, password: Secret): string {
  return `Basic ${base64(`${username}:${password.reveal()}`)}`;
}

/** Shorter ones are in half of all words and numbers: masked everywhere, they would take the text with them. */
const shortest = 4;
/** In fewer characters of base64, other text looks the same by chance. */
const shortestWithin = 6;

/**
 * Panels and the proxies in front of them echo requests in their error pages, and jobs print their environment, so the
 * password and the header made of it are looked for in every spelling that such a text may use. What a log shows of other secrets, which
 * nobody has told this process, is told by its looks alone: `restore/telling/mask.ts`.
 */
export function redactor(username: string, password: Secret): Redact {
  const plain = password.reveal();
  return hiding(plain, [`${username}:${plain}`]);
}

/** The same for other secrets: headers and variables that a program gives. */
export function redactorOf(secrets: readonly string[]): Redact {
  const each = [...new Set(secrets)].sort((a, b) => b.length - a.length).map((secret) => hiding(secret, []));
  return (text) => each.reduce((rest, hide) => hide(rest), text);
}

/** Hides a text, and those it is part of where they stand in base64. */
function hiding(plain: string, containing: readonly string[]): Redact {
  if (plain === "") return (text) => text;
  const encoded = [...containing, plain];
  const within = encoded.flatMap((text) => [...withinBase64(text)]).filter((text) => text.length >= shortestWithin);
  const wholes = encoded.map((text) => base64(text).replace(/=+$/, ""));
  const padding = "(?:=|%(?:25){0,3}3[dD]|\\\\{1,8}u003[dD]){0,2}";
  const isShort = plain.length < shortest;
  const patterns = [
    isShort ? `(?<!\\w)${spelledOut(plain)}(?!\\w)` : spelledOut(plain),
    ...wholes.map((text) => `(?<![\\w+/-])${spelledAsBase64(text)}${padding}(?![\\w+/-])`),
    ...within.map((text) => spelledAsBase64(text) + padding),
  ];
  const each = patterns.map((pattern) => new RegExp(pattern, "g"));
  return (text) => each.reduce((rest, pattern) => rest.replace(pattern, "[secret]"), text);
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
