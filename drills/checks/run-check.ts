import { type Clock, formatElapsed, pause } from "../../provider/plain/clock";
import { errorMessage } from "../../provider/plain/text";
import type { Attempt } from "./attempt";

/** How often and how long a check is attempted. */
export interface CheckTimes {
  /** From the start of one attempt to the start of the next. */
  readonly everySeconds: number;
  /** From the first attempt on. */
  readonly withinSeconds: number;
  /** The pause before the first attempt. */
  readonly afterSeconds: number;
}

export interface CheckOutcome {
  readonly passed: boolean;
  readonly attempts: number;
  /** By the runner's clock. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly seconds: number;
  /** Why it did not pass, without any output. */
  readonly why?: string;
  /** Of the last attempt. It may hold secrets. */
  readonly output?: string;
}

/**
 * Attempts a check until it passes or its time is over. The pause before the first attempt does not count as its time. The last attempt gets
 * at least `shortestAttemptMs`: a service that comes up in the last second is up.
 */
export async function runCheck(clock: Clock, times: CheckTimes, attempt: Attempt): Promise<CheckOutcome> {
  // The wall clock may be changed in the meantime, so it is read once, and the monotonic clock measures.
  const aheadMs = clock.wallTime().getTime() - clock.now();
  const stamp = (at: number): string => new Date(at + aheadMs).toISOString();
  if (times.afterSeconds > 0) await pause(clock, times.afterSeconds * 1_000);
  const began = clock.now();
  const until = began + times.withinSeconds * 1_000;
  for (let attempts = 1; ; attempts++) {
    const attemptedAt = clock.now();
    const { problem, output } = await attempt(Math.max(until - attemptedAt, shortestAttemptMs)).catch(
      (error: unknown) => ({ problem: errorMessage(error), output: undefined }),
    );
    const ended = clock.now();
    // The last attempt is at the end of the check's time, even if that shortens the pause before it.
    const nextAt = Math.max(ended, Math.min(attemptedAt + times.everySeconds * 1_000, until));
    if (problem === undefined || attemptedAt >= until || nextAt > until) {
      return {
        passed: problem === undefined,
        attempts,
        startedAt: stamp(began),
        endedAt: stamp(ended),
        seconds: Math.round((ended - began) / 100) / 10,
        ...(problem !== undefined && {
          why: `${problem} (${String(attempts)} attempt${attempts === 1 ? "" : "s"} in ${formatElapsed(ended - began)})`,
        }),
        ...(output !== undefined && { output }),
      };
    }
    await pause(clock, nextAt - ended);
  }
}

const shortestAttemptMs = 1_000;
