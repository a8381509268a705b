import { isObject } from "../plain/plain";
import { shortText } from "../plain/text";
import { parseJson } from "./json";
import type { Redact } from "./secrets";
import { decodeEntities, parseXml } from "./xml";

const maxMessages = 5;
const maxLength = 300;
const maxBody = 256 * 1024;

/** The panel's messages in the body of an error response, cleaned for a terminal; none if the body is unreadable. */
export function panelMessagesIn(body: string, redact: Redact): string[] {
  if (body.length > maxBody) return [];
  const cleaned = rawMessages(body.trim()).map((word) => cleanText(word, redact));
  return [...new Set(cleaned.filter((word) => word !== ""))].slice(0, maxMessages);
}

/** Short text from the panel (a header's value, a title), cleaned for a terminal. */
export function cleanText(text: string, redact: Redact): string {
  return shortText(collapseSpace(redact(text)), maxLength);
}

export function isHtml(body: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i.test(body);
}

export const hasLoginForm = (body: string): boolean => /<input[^>]{0,500}type\s*=\s*["']?password/i.test(body);

/** Whether a body that is not a list is a web page. The content type matters only if the body is inconclusive, because any type may come with any body. */
export function isPage(body: string, contentType: string): boolean {
  if (/^\s*(?:[[{"]|$)/.test(body)) return false;
  const isPart = /^\s*<(?:title|div|center|p|h1|h2)[\s>]/i.test(body) || hasLoginForm(body);
  return isPart || isHtml(body) || /\b(?:text\/html|xhtml)\b/i.test(contentType);
}

function rawMessages(body: string): string[] {
  if (body === "") return [];
  if (isHtml(body)) return titleOf(body);
  try {
    if (/^[[{"]/.test(body)) return messagesIn(parseJson(body));
    if (body.startsWith("<")) return messagesIn(parseXml(body).value);
  } catch {
    return [];
  }
  // Short text may be a web server's message, but longer text is more likely to be binary data or source code.
  return body.length <= maxLength ? [body] : [];
}

function titleOf(page: string): string[] {
  const title = /<title[^>]{0,200}>([^<]{1,1000})</i.exec(page)?.[1];
  return title === undefined ? [] : [decodeEntities(title)];
}

/** Names that add nothing to the message under them. */
const namesToLeaveOut = new Set(["error", "errors", "message", "messages", "base", "notice"]);

function messagesIn(value: unknown, name = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((member: unknown) => messagesIn(member, name));
  if (isObject(value)) return Object.entries(value).flatMap(([key, member]) => messagesIn(member, key));
  if (typeof value !== "string" && typeof value !== "number") return [];
  const word = String(value).trim();
  return word === "" || name === "" || namesToLeaveOut.has(name) ? [word] : [`${name}: ${word}`];
}

function collapseSpace(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}
