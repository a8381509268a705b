import type { Row } from "./row-chains";
import { earliest, latest } from "./stamps";

/** When a restore was asked for, began and ended, by the panel's own stamps. What the panel does not tell is absent. */
export interface Times {
  readonly requestedAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly queuedSeconds?: number;
  readonly durationSeconds?: number;
}

/**
 * Both durations are differences of two stamps of the panel, so a runner whose clock is wrong changes nothing. A negative
 * difference means that a stamp is not what it seems, and is left out. `durationSeconds` is the whole time from
 * the request to the end, the queue included: that is how long the machine was not recovered.
 */
export function timesOf(rows: readonly Row[], ended: "ended" | "unfinished"): Times {
  const requestedAt = earliest(rows.map((row) => row.createdAt));
  const startedAt = earliest(rows.map((row) => row.startedAt));
  // Rows that have ended are not touched again, so without an end stamp of its own the last update is the end.
  const finishedAt = ended === "ended" ? latest(rows.map((row) => row.finishedAt ?? row.updatedAt)) : undefined;
  const queuedSeconds = secondsBetween(requestedAt, startedAt);
  const durationSeconds = secondsBetween(requestedAt, finishedAt);
  return {
    ...(requestedAt !== undefined && { requestedAt }),
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(queuedSeconds !== undefined && { queuedSeconds }),
    ...(durationSeconds !== undefined && { durationSeconds }),
  };
}

function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return seconds >= 0 ? seconds : undefined;
}
