import { formatUtc, parseStamp } from "../../provider/plain/clock";
import { safeText } from "./safe-text";

/* Figures as people read them, the same in every format. */

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
] as const;

/** `1h 5m 5s`, to the second: rounded to minutes, a goal missed by twenty seconds would look met. */
export function durationText(seconds: number): string {
  let rest = Math.abs(Math.round(seconds));
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${String(count)}${unit}`);
    rest -= count * size;
  }
  if (rest > 0 || parts.length === 0) parts.push(`${String(rest)}s`);
  return parts.join(" ");
}

/** A stamp for the model: in UTC if it names its zone, otherwise as it was written, because nobody knows which moment it is. */
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
