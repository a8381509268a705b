/**
 * Time as the code of this package sees it. Everything that waits takes a clock, so that a test of a
 * four-hour restore takes milliseconds and nothing in a test sleeps.
 *
 * There are two kinds of time, of two types, so that the one cannot be taken for the other.
 */
export interface Clock {
  /** Whole milliseconds since some start that means nothing. They only go forward: what waits, waits by them, and nobody stores or shows them. */
  now(): number;
  /** What the runner's wall clock shows: for stamps. It may be set at any time, so no time is measured with it. */
  wallTime(): Date;
  /** Calls `run` once after `delayMs`. The returned function takes the call back; a pending timer keeps the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

/** A random number from 0 (included) to 1 (excluded), like `Math.random`. */
export type Random = () => number;

/** Node fires a longer timer at once instead of late, so every delay is cut to this. */
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

/** Resolves after `delayMs`; rejects with the signal's reason as soon as the signal is aborted. Leaves no timer and no listener. */
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

/** Why a signal was aborted, as an error to reject with. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("aborted");
}

/** `95 s` as `1m35s`: the form in which time-outs are written too. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts: readonly [number, string][] = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "m"],
    [seconds % 60, "s"],
  ];
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${String(amount)}${unit}`);
  return shown.length > 0 ? shown.join("") : "0s";
}

/** A time stamp as it can be compared. */
export interface Stamp {
  readonly at: number;
  /** Without one it is somebody's local time: only the difference of two such stamps means something. */
  readonly namesZone: boolean;
}

/** Undefined where there is no stamp, or one that is no time. One without a zone is read as UTC, so that no clock of the runner's moves it. */
export function parseStamp(text: string | undefined): Stamp | undefined {
  if (text === undefined || !isRealDay(text)) return undefined;
  const zoned = namesZone(text);
  const written = text.trim();
  const at = Date.parse(
    zoned ? written.replace(shortOffset, "$&:00") : `${written.replace(" ", "T")}${written.includes(":") ? "Z" : ""}`,
  );
  return Number.isNaN(at) ? undefined : { at, namesZone: zoned };
}

/** When something was, where the stamp tells it to everybody alike. */
export function zonedTime(text: string | undefined): number | undefined {
  const stamp = parseStamp(text);
  return stamp?.namesZone === true ? stamp.at : undefined;
}

/**
 * Whole seconds from one stamp to another; undefined when one is missing, is no stamp, or comes too late. Two stamps that name no zone are
 * of one panel and lie as far apart as they say; beside one that names its zone, such a stamp may be half a day off.
 */
export function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  const [begin, end] = [parseStamp(from), parseStamp(to)];
  if (begin === undefined || end?.namesZone !== begin.namesZone) return undefined;
  const seconds = Math.round((end.at - begin.at) / 1_000);
  // Less than half a second back is zero, and not its negative.
  return seconds >= 0 ? Math.abs(seconds) : undefined;
}

/** The first of several stamps; what is none does not count. */
export function earliestStamp(stamps: readonly (string | undefined)[]): string | undefined {
  return pickStamp(stamps, (a, b) => a < b);
}

export function latestStamp(stamps: readonly (string | undefined)[]): string | undefined {
  return pickStamp(stamps, (a, b) => a > b);
}

function pickStamp(
  stamps: readonly (string | undefined)[],
  better: (a: number, b: number) => boolean,
): string | undefined {
  const times = stamps.flatMap((text) => {
    const at = parseStamp(text)?.at;
    return text === undefined || at === undefined ? [] : { text, at };
  });
  const [first, ...others] = times;
  return first && others.reduce((best, time) => (better(time.at, best.at) ? time : best), first).text;
}

/** Whether a time stamp names its zone. Without one, each machine reads it as another moment. */
export function namesZone(stamp: string): boolean {
  return zoneOf(stamp) !== undefined;
}

/** Hours alone, as PostgreSQL writes an offset. Only behind a time: a date ends in such a number too. */
const shortOffset = /(?<=:\d{2}(?:\.\d+)?\s*)[+-]\d{2}$/;

/** The zone as a time stamp names it: `Z`, `UTC`, `+03:00`, `+03`. */
export function zoneOf(stamp: string): string | undefined {
  const written = stamp.trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(written)) return undefined;
  return (/(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i.exec(written) ?? shortOffset.exec(written))?.[0];
}

/** A moment in the one form in which moments are compared and stored: UTC, with no more digits than it needs. */
export function formatUtc(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}

/** Whether the date that a text names exists: JavaScript takes 31 February for 3 March. */
export function isRealDay(text: string): boolean {
  for (const form of dateForms) {
    const date = form.exec(text.trim())?.groups;
    if (date === undefined) continue;
    const { year, month = months.indexOf(date["name"]?.toLowerCase() ?? "") + 1, day } = date;
    return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  }
  return true;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const monthName = `(?<name>${months.join("|")})[a-z]*`;

/** `2026-02-28`, and the forms that `Date.parse` reads beside it: `28 Feb 2026`, `Feb 28, 2026`. */
const dateForms = [
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})/,
  new RegExp(`(?<day>\\d{1,2})[ -]${monthName}[ -](?<year>\\d{4})`, "i"),
  new RegExp(`${monthName} (?<day>\\d{1,2}),? (?<year>\\d{4})`, "i"),
];
