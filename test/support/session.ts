import { Feed } from "../../provider/feed/feed";
import { WatchedClock } from "../../provider/feed/watched-clock";
import type { PanelClient } from "../../provider/panel/types";
import type { Clock, Random } from "../../provider/plain/clock";
import { Semaphore } from "../../provider/plain/semaphore";
import { Claims, type Session, Unlisted } from "../../provider/restore/session";
import { MachineQueues } from "../../provider/restore/turn";

export interface SessionOptions extends Omit<Session, "feed" | "clock" | "queues" | "places" | "unlisted" | "client"> {
  readonly clock: Clock;
  readonly client: PanelClient;
  readonly random: Random;
  readonly pageSize: number;
  readonly maxConcurrent?: number;
}

export function createSession({
  client,
  clock: time,
  random = Math.random,
  pageSize = 100,
  requestTimeoutMs = 30_000,
  maxConcurrent,
  words = { restoreActions: [], completeStatuses: [], failedStatuses: [] },
  ...options
}: Partial<SessionOptions> & Pick<SessionOptions, "client" | "clock">): Session {
  const clock = new WatchedClock(time);
  return {
    allowedMachines: [],
    claims: new Claims(),
    redact: (text) => text,
    shortestListedMs: 60_000,
    isWatched: () => Promise.resolve(true),
    ...options,
    client,
    clock,
    requestTimeoutMs,
    words,
    feed: new Feed({ client, clock, random, pageSize, requestTimeoutMs }),
    queues: new MachineQueues(),
    places: new Semaphore(maxConcurrent),
    unlisted: new Unlisted(),
  };
}
