/*
 * Removes characters that no format can show safely. Names and messages may come from a panel, a program or a file that somebody sent.
 * Renderers still escape for their format.
 */

/** Control, bidirectional and zero-width characters, and lone surrogates. */
const unshowable =
  // eslint-disable-next-line no-control-regex -- the characters to replace
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;
const unshowableInLog =
  // eslint-disable-next-line no-control-regex -- as above, but lines and tabs stay
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

export const maxLengths = { id: 100, name: 200, sentence: 2_000, log: 64 * 1024 } as const;

/** One line of safe text. Line ends become spaces. */
export function safeText(text: string, most: number = maxLengths.sentence): string {
  const short = text.length > most ? `${text.slice(0, most)}…` : text;
  return short.replaceAll(/[\r\n\t]+/g, " ").replaceAll(unshowable, "\u{fffd}");
}

/** Safe text of several lines. A long log keeps its end, which contains the reason. */
export function safeLog(text: string): string {
  const short =
    text.length > maxLengths.log
      ? `[the first ${String(text.length - maxLengths.log)} characters are left out]\n${text.slice(-maxLengths.log)}`
      : text;
  return short.replaceAll(/\r\n?/g, "\n").replaceAll(unshowableInLog, "\u{fffd}");
}

const maxDepth = 12;
const maxItems = 2_000;

/** Plain data of any shape with safe strings. Parts deeper or longer than any plan are left out. */
export function safeData(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return safeText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return "…";
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => safeData(item, depth + 1));
  const entries = Object.entries(value).slice(0, maxItems);
  return Object.fromEntries(entries.map(([key, item]) => [safeText(key, maxLengths.name), safeData(item, depth + 1)]));
}
