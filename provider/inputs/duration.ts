import { formatElapsed } from "../plain/clock";
import { showValue } from "../plain/text";
import type { ValueReader } from "./problems";

export interface DurationBounds {
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
}

/** A problem is appended to the name of its subject: `requestTimeout` + ` ` + problem. */
type ParsedDuration = { readonly seconds: number } | { readonly problem: string };

/** Node's timers cannot be longer than a little over 24 days; a longer timer would fire at once. */
const maxDurationSeconds = 24 * 86_400;

const unitSeconds = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;
/** Spaces between the parts are allowed, so the output of `formatDuration` is valid input. */
const durationPattern =
  /^(?:(?<d>\d{1,9})d ?)?(?:(?<h>\d{1,9})h ?)?(?:(?<m>\d{1,9})m ?)?(?:(?<s>\d{1,9}(?:\.\d{1,3})?)s)?$/;
const secondsPattern = /^\d{1,9}(?:\.\d{1,3})?$/;

/** Parses a duration: `"90s"`, `"10m"`, `"1h30m"`, `"1d"`, or a number of seconds. Numbers in stack configuration or in the environment arrive as strings. */
export function parseDuration(value: unknown, bounds: DurationBounds = {}): ParsedDuration {
  const seconds = toSeconds(value);
  if (seconds === undefined) {
    return {
      problem: `is ${showValue(value)}, which is not a duration: write "90s", "10m", "1h30m" or a number of seconds`,
    };
  }
  const { minSeconds = 0, maxSeconds = maxDurationSeconds } = bounds;
  if (seconds < minSeconds)
    return { problem: `is ${showValue(value)}, but must be at least ${formatDuration(minSeconds)}` };
  if (seconds > maxSeconds)
    return { problem: `is ${showValue(value)}, but must be at most ${formatDuration(maxSeconds)}` };
  return { seconds };
}

/** Returns a `ValueReader` that calls `parseDuration` with these bounds. */
export function durationWithin(bounds: DurationBounds): ValueReader<number> {
  return (given) => {
    const parsed = parseDuration(given, bounds);
    return "problem" in parsed ? { problem: ` ${parsed.problem}` } : { value: parsed.seconds };
  };
}

/** Writes seconds as a duration: 5400 becomes `1h 30m`. Only limits can be shorter than a second. */
export function formatDuration(seconds: number): string {
  return seconds > 0 && seconds < 1 ? `${String(seconds)}s` : formatElapsed(seconds * 1_000);
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
