import { type Clock, formatElapsed, pause } from "../../provider/plain/clock";
import { omitUndefined } from "../../provider/plain/plain";
import type { CheckAttempt } from "./kind";

export interface CheckTimes {
  /** The time from the start of one attempt to the start of the next. */
  readonly everySeconds: number;
  /** Counted from the first attempt. */
  readonly withinSeconds: number;
  readonly afterSeconds: number;
}

const defaultTimes: CheckTimes = { everySeconds: 5, withinSeconds: 300, afterSeconds: 0 };

export interface CheckOutcome {
  readonly passed: boolean;
  readonly attempts: number;
  /** By the runner's clock. */
  readonly endedAt: string;
  readonly seconds: number;
  /** Why the check did not pass, without any output. */
  readonly why?: string;
  /** The output of the last attempt. It may contain secrets. */
  readonly output?: string;
}

/**
 * Repeats a check until it passes or its time is up. The pause before the first attempt does not count toward this time. The last attempt gets at least
 * `shortestAttemptMs`, so that a service that comes up in the last second still passes.
 */
export async function runCheck(clock: Clock, times: Partial<CheckTimes>, attempt: CheckAttempt): Promise<CheckOutcome> {
  const { everySeconds, withinSeconds, afterSeconds } = { ...defaultTimes, ...times };
  if (afterSeconds > 0) await pause(clock, afterSeconds * 1_000);
  // Uses the monotonic clock, because the wall clock may be adjusted.
  const began = clock.now();
  const until = began + withinSeconds * 1_000;
  for (let attempts = 1; ; attempts++) {
    const attemptedAt = clock.now();
    const { problem, output } = await attempt(Math.max(until - attemptedAt, shortestAttemptMs));
    const ended = clock.now();
    // The last attempt starts at the end of the check's time, even if that shortens the pause before it.
    const nextAt = Math.max(ended, Math.min(attemptedAt + everySeconds * 1_000, until));
    if (problem === undefined || attemptedAt >= until || nextAt > until) {
      const tried = `${String(attempts)} attempt${attempts === 1 ? "" : "s"} in ${formatElapsed(ended - began)}`;
      return omitUndefined<CheckOutcome>({
        passed: problem === undefined,
        attempts,
        endedAt: clock.wallTime().toISOString(),
        seconds: Math.round((ended - began) / 100) / 10,
        why: problem && `${problem} (${tried})`,
        output,
      });
    }
    await pause(clock, nextAt - ended);
  }
}

const shortestAttemptMs = 1_000;
