/**
 * The clock for everything that waits. With a clock of its own, a test of a four-hour restore takes milliseconds, and no test sleeps. The two kinds of time
 * have different types, so that they are never confused.
 */
export interface Clock {
  /** Whole milliseconds since an arbitrary start, which never go backward. They measure every wait, and are never stored or shown. */
  now(): number;
  /** The runner's wall clock, for timestamps. It may be set to another time at any moment, so no duration is measured with it. */
  wallTime(): Date;
  /** Calls `run` once after `delayMs`; the returned function cancels it. A pending timer keeps the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

/** A random number from 0 (inclusive) to 1 (exclusive), like `Math.random`. */
export type Random = () => number;

/** Longer delays are cut to this, because Node.js fires a longer timer at once. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Math.trunc(performance.now()),
  wallTime: () => new Date(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), longestTimerMs));
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Resolves after `delayMs`; rejects with the signal's reason once the signal is aborted. Leaves no timer and no listener behind. */
export function pause(clock: Pick<Clock, "after">, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortReason(signal));
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(abortReason(signal));
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Why a signal was aborted, as an error. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("aborted");
}

/** Formats a duration to the second: 95 seconds become `1m 35s`. The only format for durations. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts: readonly [number, string][] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor((seconds % 86_400) / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "m"],
    [seconds % 60, "s"],
  ];
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${String(amount)}${unit}`);
  return shown.length > 0 ? shown.join(" ") : "0s";
}

/** A timestamp in a form that can be compared. */
interface Stamp {
  readonly at: number;
  /** A timestamp without a zone is in an unknown local time, so only the difference between two such timestamps is meaningful. */
  readonly namesZone: boolean;
}

/**
 * Parses a timestamp; undefined if it is missing or invalid. A timestamp without a zone is read as UTC, so that the runner's zone makes no difference.
 */
export function parseStamp(text: string | undefined): Stamp | undefined {
  if (text === undefined || !isRealDay(text)) return undefined;
  const zoned = namesZone(text);
  const written = text.trim();
  const at = Date.parse(
    zoned ? written.replace(shortOffset, "$&:00") : `${written.replace(" ", "T")}${written.includes(":") ? "Z" : ""}`,
  );
  return Number.isNaN(at) ? undefined : { at, namesZone: zoned };
}

/** The moment of a timestamp that names its zone; undefined for any other timestamp. */
export function zonedTime(text: string | undefined): number | undefined {
  const stamp = parseStamp(text);
  return stamp?.namesZone === true ? stamp.at : undefined;
}

/**
 * Whole seconds from one timestamp to another. Undefined if either is missing or invalid, if the second is earlier, or if only one names its zone, because
 * the other may then be off by half a day. Two timestamps without a zone come from the same panel, so their difference is valid.
 */
export function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  const [begin, end] = [parseStamp(from), parseStamp(to)];
  if (begin === undefined || end?.namesZone !== begin.namesZone) return undefined;
  const seconds = Math.round((end.at - begin.at) / 1_000);
  // If the difference rounds to -0, `Math.abs` makes it 0.
  return seconds >= 0 ? Math.abs(seconds) : undefined;
}

/** How long a restore took, by the panel's own timestamps: from its request to its end, including the time in the queue. */
export function measuredSeconds(
  times: {
    readonly requestedAt?: string | undefined;
    readonly finishedAt?: string | undefined;
  } = {},
): number | undefined {
  return secondsBetween(times.requestedAt, times.finishedAt);
}

/** The earliest timestamp, ignoring invalid timestamps. */
export function earliestStamp(stamps: readonly (string | undefined)[]): string | undefined {
  return inOrder(stamps)[0];
}

export function latestStamp(stamps: readonly (string | undefined)[]): string | undefined {
  return inOrder(stamps).at(-1);
}

function inOrder(stamps: readonly (string | undefined)[]): readonly string[] {
  const times = stamps.flatMap((text) => {
    const at = parseStamp(text)?.at;
    return text === undefined || at === undefined ? [] : { text, at };
  });
  return times.sort((a, b) => a.at - b.at).map(({ text }) => text);
}

/** True if a timestamp names its zone. Without a zone, machines in different zones read it as different times. */
export function namesZone(stamp: string): boolean {
  return zoneOf(stamp) !== undefined;
}

/** An offset of whole hours, as PostgreSQL writes it. It must follow a time, because a date also ends in such a number. */
const shortOffset = /(?<=:\d{2}(?:\.\d+)?\s*)[+-]\d{2}$/;

/** The zone as it is written in a timestamp: `Z`, `UTC`, `+03:00`, `+03`. */
export function zoneOf(stamp: string): string | undefined {
  const written = stamp.trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(written)) return undefined;
  return (/(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i.exec(written) ?? shortOffset.exec(written))?.[0];
}

/** Formats a time in the form in which it is compared and stored: in UTC, with no more digits than needed. */
export function formatUtc(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}

/** False for a date that does not exist, such as `2026-02-31`, which JavaScript reads as March 3. */
export function isRealDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(text.trim()) ?? [];
  return day === undefined || Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}
