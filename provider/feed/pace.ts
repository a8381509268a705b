import type { Random } from "../plain/clock";

/** An end is to be noticed within ten seconds on a panel that answers in a second or so; timers may add a little. */
const longestLagMs = 9_950;
/** A panel that is back is noticed within half a minute; also the longest rest given to a slow panel. */
const longestPauseMs = 30_000;
const shortestPauseMs = 2_000;
/** Share of the pause that is left to chance, so that the processes of many pipelines do not fall into step. */
const jitter = 0.02;

export interface PaceInput {
  /** How long ago the youngest of all that is awaited began, or a wait ended: what was asked for together ends together. */
  readonly ageMs: number;
  /** How long the last good walk took; 0 before the first. */
  readonly lastScanMs: number;
  /** Failed ticks in a row, and what the panel asked for with the last of them. */
  readonly failures: number;
  readonly retryAfterMs: number;
  readonly random: Random;
}

/**
 * The pause from the end of one walk to the start of the next: as long as the youngest wait has lasted, and twice as long after each failure.
 * A row may end right after it was read at the start of one walk and be told of at the end of the next, so both count against the lag.
 */
export function pauseMs({ ageMs, lastScanMs, failures, retryAfterMs, random }: PaceInput): number {
  const healthy = Math.max(Math.min(ageMs, longestLagMs - 2 * lastScanMs), shortestPauseMs);
  const calmMs = Math.min(Math.max(healthy * 2 ** failures, lastScanMs), longestPauseMs);
  return Math.max(calmMs * (1 - jitter * random()), retryAfterMs);
}

/** What is wanted of the list, and what was read last. */
export interface ReadRequests {
  /** When the next regular walk is due; undefined when nobody watches. */
  readonly regularAt: number | undefined;
  /** When somebody first asked for an early look. */
  readonly soonAskedAt: number | undefined;
  /** Somebody cannot decide by the last walk, which took more than one request, and needs another one. */
  readonly isRepeatAsked: boolean;
  /** When somebody first asked for the newest page. */
  readonly newestPageAskedAt: number | undefined;
  /** When the last read began and ended, and whether it was one that was asked for again. */
  readonly lastRead: { readonly beganAt: number; readonly endedAt: number; readonly isRepeat?: boolean } | undefined;
  /** Early looks wait for the regular one then, so that no new wait undoes the back-off. */
  readonly isFailing: boolean;
}

export interface NextRead {
  readonly at: number;
  /** Whether it reads the newest page only, or walks for all watches. */
  readonly newestPageOnly: boolean;
}

/** Reads that cannot wait for the regular one begin at least this far apart: eight a second at most. */
const minGapMs = 125;
/** Time for others that start at the same moment to join. */
const joinWindowMs = 50;
/** A new watch gets a look this soon: time for its row to be listed. */
const earlyReadMs = 150;
/** A walk due within this time is brought forward to serve a call for the newest page with the same request. */
const mergeWithinMs = 1_000;

/** When to read the list next, and how much of it. */
export function nextRead({
  regularAt,
  soonAskedAt,
  isRepeatAsked,
  newestPageAskedAt,
  lastRead,
  isFailing,
}: ReadRequests): NextRead | undefined {
  let scanAt = regularAt;
  if (regularAt !== undefined && soonAskedAt !== undefined && !isFailing) {
    // As far apart as a read takes, however many hurry.
    const apart = lastRead && lastRead.endedAt + Math.max(minGapMs, lastRead.endedAt - lastRead.beganAt);
    scanAt = Math.min(regularAt, Math.max(soonAskedAt + earlyReadMs, apart ?? 0));
  }
  // Once at a time: what a second look shows for the first time waits like any other early look.
  if (scanAt !== undefined && isRepeatAsked && !isFailing && lastRead?.isRepeat !== true)
    scanAt = Math.min(scanAt, lastRead?.endedAt ?? scanAt);
  if (newestPageAskedAt === undefined) return scanAt === undefined ? undefined : { at: scanAt, newestPageOnly: false };
  const newestPageAt = Math.max(newestPageAskedAt + joinWindowMs, (lastRead?.beganAt ?? -minGapMs) + minGapMs);
  if (scanAt !== undefined && scanAt - newestPageAt <= mergeWithinMs)
    return { at: Math.min(scanAt, newestPageAt), newestPageOnly: false };
  return { at: newestPageAt, newestPageOnly: true };
}
