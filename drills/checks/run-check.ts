import { type Clock, formatElapsed, heldUpMs, pause } from "../../provider/plain/clock";
import { omitUndefined } from "../../provider/plain/plain";
import type { CheckAttempt } from "./kind";

export interface CheckTimes {
  /** The time from the start of one attempt to the start of the next. */
  readonly everySeconds: number;
  /** Counted from the first attempt. */
  readonly withinSeconds: number;
  readonly afterSeconds: number;
}

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
 * `shortestAttemptMs`, so that a service that comes up in the last second still passes. If the runner itself was slow or suspended, the time starts over,
 * because the service was not at fault.
 */
export async function runCheck(clock: Clock, times: CheckTimes, attempt: CheckAttempt): Promise<CheckOutcome> {
  // Uses the monotonic clock, because the wall clock may be adjusted. While the runner is suspended, only the wall clock advances.
  let aheadMs = clock.wallTime().getTime() - clock.now();
  if (times.afterSeconds > 0) await pause(clock, times.afterSeconds * 1_000);
  const began = clock.now();
  let until = began + times.withinSeconds * 1_000;
  let dueAt = began;
  for (let attempts = 1; ; attempts++) {
    const attemptedAt = clock.now();
    const limitMs = Math.max(until - attemptedAt, shortestAttemptMs);
    const { problem, output } = await attempt(limitMs);
    const ended = clock.now();
    const aheadNowMs = clock.wallTime().getTime() - ended;
    if (Math.max(ended - dueAt - limitMs, Math.abs(aheadNowMs - aheadMs)) > heldUpMs) {
      aheadMs = aheadNowMs;
      until = ended + times.withinSeconds * 1_000;
    }
    // The last attempt starts at the end of the check's time, even if that shortens the pause before it.
    const nextAt = Math.max(ended, Math.min(attemptedAt + times.everySeconds * 1_000, until));
    if (problem === undefined || attemptedAt >= until || nextAt > until) {
      const tried = `${String(attempts)} attempt${attempts === 1 ? "" : "s"} in ${formatElapsed(ended - began)}`;
      return omitUndefined<CheckOutcome>({
        passed: problem === undefined,
        attempts,
        endedAt: new Date(ended + aheadMs).toISOString(),
        seconds: Math.round((ended - began) / 100) / 10,
        why: problem && `${problem} (${tried})`,
        output,
      });
    }
    dueAt = nextAt;
    await pause(clock, nextAt - ended);
  }
}

const shortestAttemptMs = 1_000;
