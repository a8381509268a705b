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
  /** When the next regular scan is due; Infinity without subscribers. */
  readonly regularAt: number;
  /** By when somebody asks for a read; Infinity if nobody does. */
  readonly askedBy: number;
  readonly lastRead: { readonly beganAt: number; readonly endedAt: number } | undefined;
  /** Early reads wait for the regular one then: no new wait may undo the back-off. */
  readonly isFailing: boolean;
}

/** Early reads begin at least this far apart: eight a second at most. */
const minGapMs = 125;

/** The time of the next read. Early ones are as far apart as a read takes, however many ask. */
export function nextReadAt({ regularAt, askedBy, lastRead, isFailing }: ReadRequests): number {
  if (isFailing && regularAt < Number.POSITIVE_INFINITY) return regularAt;
  const apart = lastRead ? lastRead.endedAt + Math.max(minGapMs, lastRead.endedAt - lastRead.beganAt) : 0;
  return Math.min(regularAt, Math.max(askedBy, apart));
}
