import { formatDuration } from "../../config/duration";
import { messageOf } from "../../text/message-of";
import { pause, type Clock } from "../../time/clock";
import type { CheckTimes } from "../read/check";
import type { StoredCheck } from "../terms/stored";
import type { Try } from "./try";

export interface CheckOutcome
  extends
    Required<Pick<StoredCheck, "result" | "tries" | "startedAt" | "endedAt" | "seconds">>,
    Pick<StoredCheck, "reason"> {
  readonly output?: string;
}

/**
 * Tries until it passes or its time is over. The pause before the first try is not part of the time it has. The last try is never cut
 * shorter than `shortestTryMs`: a service that comes up in the last second is up.
 */
export async function runCheck(clock: Clock, times: CheckTimes, attempt: Try): Promise<CheckOutcome> {
  if (times.afterSeconds > 0) await pause(clock, times.afterSeconds * 1_000);
  const began = clock.now();
  const until = began + times.withinSeconds * 1_000;
  for (let tries = 1; ; tries++) {
    const triedAt = clock.now();
    const { problem, output } = await attempt(Math.max(until - triedAt, shortestTryMs)).catch((error: unknown) => ({
      problem: messageOf(error),
      output: undefined,
    }));
    const ended = clock.now();
    const nextAt = Math.max(ended, triedAt + times.everySeconds * 1_000);
    const isLast = problem === undefined || nextAt > until;
    if (isLast) {
      return {
        result: problem === undefined ? "passed" : "failed",
        tries,
        startedAt: new Date(began).toISOString(),
        endedAt: new Date(ended).toISOString(),
        seconds: Math.round((ended - began) / 100) / 10,
        ...(problem !== undefined && {
          reason: `${problem} (${String(tries)} ${tries === 1 ? "try" : "tries"} in ${spent(ended - began)})`,
        }),
        ...(output !== undefined && { output }),
      };
    }
    await pause(clock, nextAt - ended);
  }
}

const shortestTryMs = 1_000;

function spent(ms: number): string {
  return formatDuration(Math.round(ms / 1_000));
}
