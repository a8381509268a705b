import type { Random } from "../plain/clock";
import type { Watch } from "./watching";

export type Urgency = ReturnType<Watch["urgency"]>;

export interface Pace {
  /** The most urgent of all watches decides. */
  readonly urgency: Urgency;
  /** How long the youngest of the most urgent watches has been that urgent. */
  readonly ageMs: number;
  /** How long the last good walk took; 0 before the first. */
  readonly lastWalkMs: number;
  /** Failed ticks in a row. */
  readonly failures: number;
  readonly random: Random;
}

/** A look comes no sooner than this after the one before it, hurried ones apart. */
export const shortestPauseMs = 2_000;

/** An end is to be noticed within this time on a panel that answers in a second or so. */
const longestLagMs = 10_000;
/** What timers and a panel that takes a little longer than last time may add. */
const lagMarginMs = 50;
/** Share of the pause that is left to chance, so that the processes of many pipelines do not fall into step. */
const steadyJitter = 0.02;
const jitter = 0.1;

const shortRestoreMs = 60_000;
const shortRestorePauseMs = 7_500;

const slowestListingMs = 5_000;
const firstBackOffMs = 5_000;
/** A panel that is back is noticed within half a minute; also the longest rest given to a slow panel. */
const longestPauseMs = 30_000;

/** The pause from the end of one walk to the start of the next. */
export function pauseMs(pace: Pace): number {
  const rest = pace.failures > 0 ? failing(pace) : healthy(pace);
  return Math.min(Math.max(rest, pace.lastWalkMs, shortestPauseMs), longestPauseMs);
}

/** Waits that ended with the last walk, and what is left. */
export interface Endings {
  readonly ended: number;
  readonly left: number;
  /** Another that began soon after one of them is still waited for. */
  readonly isFollowed: boolean;
  readonly lastWalkMs: number;
}

/** What began in the same moment tells nothing of when the other one ends; nor does what began much later. */
const soonAfter = { fromMs: 200, toMs: 10_000 };

/** Whether a wait began soon after another one: where both take equally long, it ends soon after the other one as well. */
export function beganSoonAfter(beganAt: number, other: number): boolean {
  const ms = beganAt - other;
  return ms >= soonAfter.fromMs && ms <= soonAfter.toMs;
}

/** An end or two tell nothing of others that began at another time. */
const fewestTogether = 3;
/** Of those that are left, so many at least must have ended together. */
const shareTogether = 1 / 10;

/**
 * Restores that were asked for one after the other and take equally long end one after the other. Once one has ended that others were
 * begun soon after, or a good part of those that are waited for, the next walk is soon: a wave is over when its last one is. While nothing more
 * has ended then, ends that are spread over the time cost one walk more each.
 */
export function pauseAfterEndsMs({ ended, left, isFollowed, lastWalkMs }: Endings): number | undefined {
  const isPart = ended >= fewestTogether && ended >= left * shareTogether;
  if (left === 0 || ended === 0 || !(isFollowed || isPart)) return undefined;
  return Math.min(Math.max(lastWalkMs, shortestPauseMs), longestPauseMs);
}

function healthy({ urgency, ageMs, lastWalkMs, random }: Pace): number {
  // A row may end right after it was read at the start of one walk and be told of at the end of the next:
  // both walks count against the lag.
  const steady = shorten(longestLagMs - lagMarginMs - 2 * lastWalkMs, steadyJitter, random);
  switch (urgency) {
    case "listing":
      return Math.min(shorten(Math.max(ageMs / 2, shortestPauseMs), jitter, random), slowestListingMs, steady);
    case "young":
      // Pauses that grow with the age see a short restore end soon and cost a long one only a few looks.
      return Math.min(shorten(Math.max(ageMs * 2, shortestPauseMs), jitter, random), shortOf(ageMs, random), steady);
    case "steady":
      return steady;
  }
}

/** Ten seconds are much of a restore that takes a minute. */
function shortOf(ageMs: number, random: Random): number {
  return ageMs < shortRestoreMs ? shorten(shortRestorePauseMs, steadyJitter, random) : Number.POSITIVE_INFINITY;
}

function failing({ failures, random }: Pace): number {
  const grown = firstBackOffMs * 2 ** Math.min(failures - 1, 10);
  return shorten(Math.min(grown, longestPauseMs), 0.5, random);
}

function shorten(ms: number, share: number, random: Random): number {
  return ms * (1 - share * random());
}
