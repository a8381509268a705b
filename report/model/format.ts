import { createHash } from "node:crypto";
import { formatUtc, parseStamp } from "../../provider/plain/clock";
import { entriesOf } from "../../provider/plain/plain";
import { shortText } from "../../provider/plain/text";
import type { Report } from "./model";

/* Figures for readers, formatted the same way everywhere. */

/** Converts a timestamp to UTC if it names its zone. Otherwise, the exact moment is unknown, and the timestamp is returned as it was written. */
export function reportStamp(written: string | undefined): string | undefined {
  if (written === undefined || written === "") return undefined;
  const stamp = written.length <= 64 ? parseStamp(written) : undefined;
  return stamp?.namesZone === true ? formatUtc(stamp.at) : safeText(written, 64);
}

export function isUtc(stamp: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(stamp);
}

/** `2026-11-21 11:39:36 UTC`; a timestamp without a zone is shown as the panel wrote it. */
export function timeText(stamp: string): string {
  return isUtc(stamp) ? `${stamp.slice(0, 19).replace("T", " ")} UTC` : stamp;
}

/** A timestamp from any source, formatted for readers. */
export function readableTime(written: string | undefined): string | undefined {
  const stamp = reportStamp(written);
  return stamp === undefined ? undefined : timeText(stamp);
}

/** `2026-11-21 11:39:36 to 12:04:47 UTC` */
export function spanText(from: string, to: string): string {
  if (!isUtc(from) || !isUtc(to)) return `${timeText(from)} to ${timeText(to)}`;
  return `${timeText(from).slice(0, -4)} to ${timeText(to).slice(from.slice(0, 10) === to.slice(0, 10) ? 11 : 0)}`;
}

const grouped = new Intl.NumberFormat("en-US");

export function numberText(amount: number): string {
  return grouped.format(amount);
}

export function countText(amount: number, one: string, many = `${one}s`): string {
  return `${numberText(amount)} ${amount === 1 ? one : many}`;
}

/*
 * Removes characters that no format can show safely. Names and messages may come from a panel, a program or a file that somebody sent.
 * Renderers still escape for their format.
 */

/** Control, bidirectional and zero-width characters, and lone surrogates; lines and tabs stay. */
const unshowable =
  // oxlint-disable-next-line no-control-regex -- the characters to replace
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

export const maxLengths = { id: 100, name: 200, sentence: 2_000, log: 64 * 1024 } as const;

/** One line of safe text. Line breaks become spaces. */
export function safeText(text: string, most: number = maxLengths.sentence): string {
  return shortText(text, most)
    .replaceAll(/[\r\n\t]+/g, " ")
    .replaceAll(unshowable, "\u{fffd}");
}

/** Several lines of safe text. Only the end of a long log is kept, because the reason is usually there. */
export function safeLog(text: string): string {
  const short = text.length > maxLengths.log ? `[the beginning is left out]\n${text.slice(-maxLengths.log)}` : text;
  return short.replaceAll(/\r\n?/g, "\n").replaceAll(unshowable, "\u{fffd}");
}

/** Plain data of any shape, with safe strings. */
export function safeData(value: unknown): unknown {
  if (typeof value === "string") return safeText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(safeData);
  return Object.fromEntries(entriesOf(value).map(([key, item]) => [safeText(key, maxLengths.name), safeData(item)]));
}

/** Renders a report as JSON with sorted keys, so that the same report always produces the same bytes. */
export function toJson(report: Report): string {
  return `${JSON.stringify(sorted(report), undefined, 2)}\n`;
}

/** The SHA-256 of a report's JSON: the other formats show it, and `sha256sum` prints it for the file. */
export function sha256Of(report: Report): string {
  return createHash("sha256").update(toJson(report)).digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
