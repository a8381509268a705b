import type { Random } from "../plain/clock";

/** An end is noticed within ten seconds on a panel that answers in a second or so; timers may add a little. */
const longestLagMs = 9_950;
/** A recovered panel is noticed within half a minute. A slow panel rests no longer than this either. */
const longestPauseMs = 30_000;
const shortestPauseMs = 2_000;
/** The random share of each pause: the processes of many pipelines must not fall into step. */
const jitter = 0.02;

export interface PaceInput {
  /** The time since the youngest awaited thing began or a wait ended: restores that began together end together. */
  readonly ageMs: number;
  /** The duration of the last good scan; 0 before the first. */
  readonly lastScanMs: number;
  /** Failed scans in a row, and the pause the panel asked for with the last of them. */
  readonly failures: number;
  readonly retryAfterMs: number;
  readonly random: Random;
}

/**
 * The pause between two scans: as long as the youngest wait has lasted, and twice as long after each failure. A row
 * may end right after one scan read it, and is reported at the end of the next, so both scans count against the lag.
 */
export function pauseMs({ ageMs, lastScanMs, failures, retryAfterMs, random }: PaceInput): number {
  const healthy = Math.max(Math.min(ageMs, longestLagMs - 2 * lastScanMs), shortestPauseMs);
  const calmMs = Math.min(Math.max(healthy * 2 ** failures, lastScanMs), longestPauseMs);
  return Math.max(calmMs * (1 - jitter * random()), retryAfterMs);
}

/** The reads somebody asks for, and the last read. */
export interface ReadRequests {
  /** When the next regular scan is due; undefined without subscribers. */
  readonly regularAt: number | undefined;
  /** When somebody first asked for an early read. */
  readonly soonAskedAt: number | undefined;
  /** A subscriber cannot decide by the last scan, which took more than one request, and asks for another. */
  readonly isRepeatAsked: boolean;
  /** When somebody first asked for the newest page. */
  readonly newestPageAskedAt: number | undefined;
  /** The last read; `isRepeat` if a subscriber had asked for it again. */
  readonly lastRead: { readonly beganAt: number; readonly endedAt: number; readonly isRepeat?: boolean } | undefined;
  /** Early reads wait for the regular one then: no new wait may undo the back-off. */
  readonly isFailing: boolean;
}

export interface NextRead {
  readonly at: number;
  /** Reads the newest page only, instead of a scan for all subscribers. */
  readonly newestPageOnly: boolean;
}

/** Early reads begin at least this far apart: eight a second at most. */
const minGapMs = 125;
/** The time for calls of the same moment to join one read. */
const joinWindowMs = 50;
/** A new subscriber gets a read this soon: its row needs that time to be listed. */
const earlyReadMs = 150;
/** A scan due within this time comes forward: the same request serves a call for the newest page. */
const mergeWithinMs = 1_000;

/** The time of the next read, and how deep it goes. */
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
    // As far apart as a read takes, however many ask.
    const apart = lastRead && lastRead.endedAt + Math.max(minGapMs, lastRead.endedAt - lastRead.beganAt);
    scanAt = Math.min(regularAt, Math.max(soonAskedAt + earlyReadMs, apart ?? 0));
  }
  // One repeat at a time: news of the repeat itself waits like any other early read.
  if (scanAt !== undefined && isRepeatAsked && !isFailing && lastRead?.isRepeat !== true)
    scanAt = Math.min(scanAt, lastRead?.endedAt ?? scanAt);
  if (newestPageAskedAt === undefined) return scanAt === undefined ? undefined : { at: scanAt, newestPageOnly: false };
  const newestPageAt = Math.max(newestPageAskedAt + joinWindowMs, (lastRead?.beganAt ?? -minGapMs) + minGapMs);
  if (scanAt !== undefined && scanAt - newestPageAt <= mergeWithinMs)
    return { at: Math.min(scanAt, newestPageAt), newestPageOnly: false };
  return { at: newestPageAt, newestPageOnly: true };
}
