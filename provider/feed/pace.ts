import type { Random } from "../plain/clock";

/** An end is to be noticed within ten seconds on a panel that answers in a second or so; timers may add a little. */
const longestLagMs = 9_950;
/** A panel that is back is noticed within half a minute; also the longest rest given to a slow panel. */
const longestPauseMs = 30_000;
const shortestPauseMs = 2_000;
/** Share of the pause that is left to chance, so that the processes of many pipelines do not fall into step. */
const jitter = 0.02;

export interface Pace {
  /** How long ago the youngest of all that is awaited began, or a wait ended: what was asked for together ends together. */
  readonly ageMs: number;
  /** How long the last good walk took; 0 before the first. */
  readonly lastWalkMs: number;
  /** Failed ticks in a row, and what the panel asked for with the last of them. */
  readonly failures: number;
  readonly retryAfterMs: number;
  readonly random: Random;
}

/**
 * The pause from the end of one walk to the start of the next: as long as the youngest wait has lasted, and twice as long after each failure.
 * A row may end right after it was read at the start of one walk and be told of at the end of the next, so both count against the lag.
 */
export function pauseMs({ ageMs, lastWalkMs, failures, retryAfterMs, random }: Pace): number {
  const healthy = Math.max(Math.min(ageMs, longestLagMs - 2 * lastWalkMs), shortestPauseMs);
  const rest = Math.min(Math.max(healthy * 2 ** failures, lastWalkMs), longestPauseMs);
  return Math.max(rest * (1 - jitter * random()), retryAfterMs);
}

/** What is wanted of the list, and what was read last. */
export interface Wanted {
  /** When the next regular walk is due; undefined when nobody watches. */
  readonly regularAt: number | undefined;
  /** When somebody first asked for an early look. */
  readonly hurriedAt: number | undefined;
  /** Somebody cannot decide by the last walk, which took more than one request, and needs another one. */
  readonly isAskedAgain: boolean;
  /** When somebody first asked for the newest page. */
  readonly headAskedAt: number | undefined;
  /** When the last read began and ended, and whether it was one that was asked for again. */
  readonly lastRead: { readonly beganAt: number; readonly endedAt: number; readonly isAgain?: boolean } | undefined;
  /** Early looks wait for the regular one then, so that no new wait undoes the back-off. */
  readonly failing: boolean;
}

export interface NextRead {
  readonly at: number;
  /** Whether it reads the newest page only, or walks for all watches. */
  readonly headOnly: boolean;
}

/** Reads that cannot wait for the regular one begin at least this far apart: eight a second at most. */
const gapMs = 125;
/** Time for others that start at the same moment to join. */
const headWindowMs = 50;
/** A new watch gets a look this soon: time for its row to be listed. */
const earlyLookMs = 150;
/** A walk due within this time is brought forward to serve a call for the newest page with the same request. */
const soonMs = 1_000;

/** When to read the list next, and how much of it. */
export function nextRead({
  regularAt,
  hurriedAt,
  isAskedAgain,
  headAskedAt,
  lastRead,
  failing,
}: Wanted): NextRead | undefined {
  let walkAt = regularAt;
  if (regularAt !== undefined && hurriedAt !== undefined && !failing) {
    // As far apart as a read takes, however many hurry.
    const apart = lastRead && lastRead.endedAt + Math.max(gapMs, lastRead.endedAt - lastRead.beganAt);
    walkAt = Math.min(regularAt, Math.max(hurriedAt + earlyLookMs, apart ?? 0));
  }
  // Once at a time: what a second look shows for the first time waits like any other early look.
  if (walkAt !== undefined && isAskedAgain && !failing && lastRead?.isAgain !== true)
    walkAt = Math.min(walkAt, lastRead?.endedAt ?? walkAt);
  if (headAskedAt === undefined) return walkAt === undefined ? undefined : { at: walkAt, headOnly: false };
  const headAt = Math.max(headAskedAt + headWindowMs, (lastRead?.beganAt ?? -gapMs) + gapMs);
  if (walkAt !== undefined && walkAt - headAt <= soonMs) return { at: Math.min(walkAt, headAt), headOnly: false };
  return { at: headAt, headOnly: true };
}
