import { systemClock as waitingClock } from "../../provider/plain/clock";

/** The panel's wall clock, which stamps its rows. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `delayMs`. The returned function cancels it. A pending timer keeps the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => waitingClock.after(delayMs, run),
};
