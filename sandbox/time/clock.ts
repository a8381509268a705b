import { systemClock as waitingClock } from "../../provider/plain/clock";

/** The time the panel goes by, which is its wall clock: what it stamps its rows with. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `delayMs`. The returned function takes the call back; a pending timer keeps the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => waitingClock.after(delayMs, run),
};
