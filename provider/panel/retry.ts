import type { Random } from "../time/clock";
import type { PanelFailure } from "./errors";

export const maxTries = 5;
const firstPauseMs = 300;
const longestPauseMs = 5_000;
/** A try with less time than this says nothing about the panel. */
const shortestTryMs = 250;

export interface Attempt {
  readonly error: PanelFailure;
  /** Tries made so far, this one included. */
  readonly tries: number;
  /** Of the caller's time, what is left. */
  readonly remainingMs: number;
}

/** How long to wait before the next try of a GET, or undefined when this was the last. */
export function pauseBeforeRetry({ error, tries, remainingMs }: Attempt, random: Random): number | undefined {
  if (!error.transient || tries >= maxTries) return undefined;
  // Full jitter: many runs that failed together do not come back together.
  const jittered = random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
  const wished = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  const pauseMs = wished === undefined ? jittered : wished + jittered;
  return pauseMs + shortestTryMs <= remainingMs ? pauseMs : undefined;
}
