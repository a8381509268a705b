import type { Secret } from "./secret";

/** Takes what must not be seen out of text that came from elsewhere. */
export type Redact = (text: string) => string;

/** The value of the `Authorization` header. */
export function basicAuthorization(username: string, password: Secret): string {
  return `Basic ${base64(`${username}:${password.reveal()}`)}`;
}

/**
 * Panels and the proxies in front of them echo requests in their error pages, so the password and the header
 * made of it are looked for in every spelling such a page may use.
 */
export function redactor(username: string, password: Secret): Redact {
  const plain = password.reveal();
  const spellings = [
    base64(`${username}:${plain}`),
    base64(plain),
    plain,
    encodeURIComponent(plain),
    encodeURIComponent(plain).replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    JSON.stringify(plain).slice(1, -1),
    markup(plain),
  ];
  const hidden = [...new Set(spellings.flatMap((text) => [text, text.replace(/=+$/, "")]))]
    .filter((text) => text !== "")
    .sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

function markup(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
