import type { Check } from "./model";

/* Figures as people read them, the same in every format. */

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** A duration to the second: rounded to minutes, a goal missed by twenty seconds would look met. */
export function durationText(seconds: number): string {
  let rest = Math.abs(Math.round(seconds * 10) / 10);
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${String(count)} ${unit}`);
    rest = Math.round((rest - count * size) * 10) / 10;
  }
  if (rest > 0 || parts.length === 0) parts.push(`${String(rest)} s`);
  return `${seconds < 0 ? "−" : ""}${parts.join(" ")}`;
}

/** `2026-11-21 11:39:36 UTC` */
export function timeText(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}

const grouped = new Intl.NumberFormat("en-US");

export function numberText(amount: number): string {
  return grouped.format(amount);
}

export function countText(amount: number, one: string, many = `${one}s`): string {
  return `${numberText(amount)} ${amount === 1 ? one : many}`;
}

/** A margin in words instead of a sign. */
export function marginText(seconds: number): string {
  return seconds >= 0 ? `${durationText(seconds)} to spare` : `${durationText(-seconds)} over`;
}

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** `Http check of https://… failed: the answer was 503, not 200 to 299 (60 tries in 5m)`; the reason holds the tries. */
export function checkText({ kind, target, name, tries, reason }: Check): string {
  const why =
    reason !== undefined ? `: ${reason}` : tries !== undefined ? ` after ${countText(tries, "try", "tries")}` : "";
  const which = `${kind} check of ${target}`;
  return `${capitalized(name === undefined ? which : `${name} (${which})`)} failed${why}`;
}

export const goalNames = { recoveryTime: "Recovery time", dataAge: "Data age" } as const;
