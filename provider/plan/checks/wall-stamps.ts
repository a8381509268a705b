import type { Clock } from "../../time/clock";

/** When something happened on the runner, of a moment of the clock that waits go by. */
export type Stamp = (at: number) => string;

/**
 * The runner's wall clock tells where stamps begin, and the clock that only goes forward how far they lie apart: the time between two of
 * them was measured, also where somebody sets the wall clock meanwhile.
 */
export function stampsOf(clock: Pick<Clock, "now" | "wallTime">): Stamp {
  const aheadMs = clock.wallTime().getTime() - clock.now();
  return (at) => new Date(at + aheadMs).toISOString();
}
