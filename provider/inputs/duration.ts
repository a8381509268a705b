import { formatElapsed } from "../plain/clock";
import { showValue } from "../plain/text";
import type { ValueReader } from "./problems";

export interface DurationBounds {
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
}

/** Node's timers cannot be longer than a little over 24 days; a longer timer would fire at once. */
const maxDurationSeconds = 24 * 86_400;

const unitSeconds = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;
/** Spaces between the parts are allowed, so the output of `formatDuration` is valid input. */
const durationPattern =
  /^(?:(?<d>\d{1,9})d ?)?(?:(?<h>\d{1,9})h ?)?(?:(?<m>\d{1,9})m ?)?(?:(?<s>\d{1,9}(?:\.\d{1,3})?)s)?$/;
const secondsPattern = /^\d{1,9}(?:\.\d{1,3})?$/;

/**
 * Reads a duration in seconds: `"90s"`, `"10m"`, `"1h30m"`, `"1d"`, or a number of seconds. Numbers in stack configuration or in the environment arrive as
 * strings.
 */
export function durationWithin({
  minSeconds = 0,
  maxSeconds = maxDurationSeconds,
}: DurationBounds): ValueReader<number> {
  return (given) => {
    const value = toSeconds(given);
    const shown = showValue(given);
    if (value === undefined)
      return { problem: ` is ${shown}, which is not a duration: write "90s", "10m", "1h30m" or a number of seconds` };
    if (value < minSeconds) return { problem: ` is ${shown}, but must be at least ${formatDuration(minSeconds)}` };
    if (value > maxSeconds) return { problem: ` is ${shown}, but must be at most ${formatDuration(maxSeconds)}` };
    return { value };
  };
}

/** Writes seconds as a duration: 5400 becomes `1h 30m`. Only limits can be shorter than a second. */
export function formatDuration(seconds: number): string {
  return seconds < 1 ? `${String(seconds)}s` : formatElapsed(seconds * 1_000);
}

function toSeconds(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (secondsPattern.test(text)) return Number(text);
  const parts = durationPattern.exec(text)?.groups;
  if (text === "" || parts === undefined) return undefined;
  let seconds = 0;
  for (const unit of ["d", "h", "m", "s"] as const) seconds += Number(parts[unit] ?? 0) * unitSeconds[unit];
  return Math.round(seconds * 1_000) / 1_000;
}
