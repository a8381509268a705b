import type { Random } from "../../time/clock";
import type { PanelFailure } from "../errors";

export const maxTries = 5;
/** A panel that is being set up anew refuses its users for a moment; one that means it is not asked many times. */
const triesWhileForbidden = 3;
const forbiddenPauseMs = 1_000;
const firstPauseMs = 300;
const longestPauseMs = 5_000;
/** A try with less time than this says nothing about the panel. */
const shortestTryMs = 250;

export interface FailedTry {
  readonly error: PanelFailure;
  /** Tries made so far, this one included. */
  readonly tries: number;
  /** Of the caller's time, what is left. */
  readonly remainingMs: number;
}

/** How long to wait before the next try of a GET, or undefined when this was the last. */
export function pauseBeforeRetry({ error, tries, remainingMs }: FailedTry, random: Random): number | undefined {
  const isForbidden = error.kind === "forbidden";
  if (!(error.transient || isForbidden) || tries >= (isForbidden ? triesWhileForbidden : maxTries)) return undefined;
  // Full jitter: many runs that failed together do not come back together.
  const jittered = random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
  const wished = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  const atLeast = isForbidden ? forbiddenPauseMs * tries : 0;
  const pauseMs = (wished ?? atLeast) + jittered;
  return pauseMs + shortestTryMs <= remainingMs ? pauseMs : undefined;
}
