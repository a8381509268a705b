import { Feed } from "../../provider/feed/feed";
import { WatchedClock } from "../../provider/plain/watched-clock";
import { PanelError } from "../../provider/panel/errors";
import { TransportFailure, type Transport } from "../../provider/panel/transport";
import { createPanelClient } from "../../provider/panel/client";
import type { PanelClient } from "../../provider/panel/types";
import type { Clock } from "../../provider/plain/clock";
import { clientOptions, type Settings } from "../../provider/inputs/settings";
import { omitUndefined } from "../../provider/plain/plain";

/** One request and its answer. */
export interface TimedExchange {
  readonly tookMs: number;
  /** Absent if there was no answer. */
  readonly status: number | undefined;
}

/** Lets only GETs through to the panel, up to a limit, and counts and times them. */
export class ReadOnlyGuard {
  readonly exchanges: TimedExchange[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly maxRequests: number,
  ) {}

  /** Returns the panel's error, or says that the limit stopped the request. Any other error is a bug, and is thrown. */
  explain(error: unknown): PanelError {
    if (!(error instanceof PanelError)) throw error;
    if (error.kind !== "aborted") return error;
    return new PanelError("aborted", error.sent, [
      `gave up: this command has reached its limit of ${String(this.maxRequests)} requests`,
      "The panel returns only a few rows per request, or many requests were retried; `pulumi up` has no such limit",
    ]);
  }

  wrap(send: Transport): Transport {
    return async (request) => {
      if (request.method !== "GET") throw new TransportFailure("READ_ONLY", false);
      if (this.exchanges.length >= this.maxRequests) throw new TransportFailure("ABORTED", false);
      const from = this.clock.now();
      let status: number | undefined;
      try {
        const answer = await send(request);
        ({ status } = answer);
        return answer;
      } finally {
        this.exchanges.push({ tookMs: this.clock.now() - from, status });
      }
    };
  }
}

export interface PanelReadOptions {
  readonly clock: Clock;
  /** Sends the requests. @default HTTP */
  readonly transport?: Transport;
}

/** A read-only client, and the guard that makes it read-only. */
export function guardedClient(
  settings: Settings,
  maxRequests: number,
  { clock, transport }: PanelReadOptions,
): { readonly client: PanelClient; readonly guard: ReadOnlyGuard } {
  const guard = new ReadOnlyGuard(clock, maxRequests);
  const client = createPanelClient({
    ...clientOptions(settings),
    clock,
    wrapTransport: (send) => guard.wrap(send),
    ...omitUndefined({ transport }),
  });
  return { client, guard };
}

/** A guarded client, and a feed that reads the list through it. */
export function guardedFeed(settings: Settings, maxRequests: number, options: PanelReadOptions) {
  const { client, guard } = guardedClient(settings, maxRequests, options);
  const { pageSize, requestTimeoutMs } = settings;
  const clock = new WatchedClock(options.clock);
  return {
    client,
    guard,
    feed: new Feed({ client, clock, random: Math.random, pageSize, requestTimeoutMs }),
  };
}
