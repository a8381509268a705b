import type { CheckTimes, Probe, StoredCheck } from "../inputs/read-check";
import { type Clock, formatElapsed, pause } from "../plain/clock";
import { errorMessage } from "../plain/text";
import { commandAttempt } from "./command";
import { httpAttempt } from "./http";
import { tcpAttempt } from "./tcp";
import type { Attempt } from "./attempt";

interface CheckOutcome
  extends
    Required<Pick<StoredCheck, "result" | "tries" | "startedAt" | "endedAt" | "seconds">>,
    Pick<StoredCheck, "reason"> {
  readonly output?: string;
}

/**
 * Tries a check until it passes or its time is over. The pause before the first try does not count as its time. The last try gets at least
 * `shortestTryMs`: a service that comes up in the last second is up.
 */
export async function runCheck(
  clock: Clock,
  times: CheckTimes,
  attempt: Attempt,
  stamp: WriteStamp = stampWriter(clock),
): Promise<CheckOutcome> {
  if (times.afterSeconds > 0) await pause(clock, times.afterSeconds * 1_000);
  const began = clock.now();
  const until = began + times.withinSeconds * 1_000;
  for (let tries = 1; ; tries++) {
    const triedAt = clock.now();
    const { problem, output } = await attempt(Math.max(until - triedAt, shortestTryMs)).catch((error: unknown) => ({
      problem: errorMessage(error),
      output: undefined,
    }));
    const ended = clock.now();
    // The last try is at the end of the check's time, even if the pause before it is shorter then.
    const nextAt = Math.max(ended, Math.min(triedAt + times.everySeconds * 1_000, until));
    const isLast = problem === undefined || triedAt >= until || nextAt > until;
    if (isLast) {
      return {
        result: problem === undefined ? "passed" : "failed",
        tries,
        startedAt: stamp(began),
        endedAt: stamp(ended),
        seconds: Math.round((ended - began) / 100) / 10,
        ...(problem !== undefined && {
          reason: `${problem} (${String(tries)} ${tries === 1 ? "try" : "tries"} in ${formatElapsed(ended - began)})`,
        }),
        ...(output !== undefined && { output }),
      };
    }
    await pause(clock, nextAt - ended);
  }
}

const shortestTryMs = 1_000;

/** Turns a moment of the monotonic clock into the runner's wall time, ISO 8601. */
export type WriteStamp = (at: number) => string;

/**
 * Reads the wall clock once and then goes by the monotonic clock, so the time between two stamps is right even if somebody sets the wall
 * clock meanwhile.
 */
export function stampWriter(clock: Pick<Clock, "now" | "wallTime">): WriteStamp {
  const aheadMs = clock.wallTime().getTime() - clock.now();
  return (at) => new Date(at + aheadMs).toISOString();
}

/** The attempt for a check, by its kind. */
export function attemptFor(probe: Probe): Attempt {
  switch (probe.kind) {
    case "http":
      return httpAttempt(probe);
    case "tcp":
      return tcpAttempt(probe);
    case "command":
      return commandAttempt(probe);
  }
}
