import type { Clock } from "../../time/clock";

/** Turns a moment of the clock that only goes forward into the runner's wall time, ISO 8601. */
export type Stamp = (at: number) => string;

/**
 * The runner's wall clock tells where stamps begin, and the clock that only goes forward how far they lie apart: the time between two of
 * them was measured, also where somebody sets the wall clock meanwhile.
 */
export function stampsOf(clock: Pick<Clock, "now" | "wallTime">): Stamp {
  const aheadMs = clock.wallTime().getTime() - clock.now();
  return (at) => new Date(at + aheadMs).toISOString();
}
