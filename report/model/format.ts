import { formatUtc, parseStamp } from "../../provider/plain/clock";
import { safeText } from "./safe-text";

/* Figures as people read them, the same in every format. */

/** A stamp for the model: in UTC if it names its zone, otherwise as it was written, because the moment is unknown. */
export function stampOf(written: string | undefined): string | undefined {
  if (written === undefined || written === "") return undefined;
  const stamp = written.length <= 64 ? parseStamp(written) : undefined;
  return stamp?.namesZone === true ? formatUtc(stamp.at) : safeText(written, 64);
}

export function isUtc(stamp: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(stamp);
}

/** `2026-11-21 11:39:36 UTC`; a stamp without a zone as the panel wrote it. */
export function timeText(stamp: string): string {
  return isUtc(stamp) ? `${stamp.slice(0, 19).replace("T", " ")} UTC` : stamp;
}

/** A stamp from any source, formatted for people. */
export function readableTime(written: string | undefined): string | undefined {
  const stamp = stampOf(written);
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

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
