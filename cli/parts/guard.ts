import { Feed } from "../../provider/feed/feed";
import { WatchedClock } from "../../provider/feed/watched-clock";
import { PanelError } from "../../provider/panel/errors";
import { TransportFailure, type Transport } from "../../provider/panel/transport";
import { createPanelClient } from "../../provider/panel/client";
import type { PanelClient } from "../../provider/panel/types";
import type { Clock } from "../../provider/plain/clock";
import { clientOptions, type Settings } from "../../provider/inputs/settings";
import { omitUndefined } from "../../provider/plain/plain";

/** One request and its answer. */
export interface TimedExchange {
  readonly path: string;
  readonly tookMs: number;
  /** Absent if there was no answer. */
  readonly status?: number;
  /** True if the request may have reached the panel; false if, for example, the connection was refused. */
  readonly isSent: boolean;
  /** This machine's wall clock, halfway through the exchange. */
  readonly wallMs: number;
}

/** Thrown when a command has used up its request limit. The panel itself did not reject anything. */
export class RequestLimitError extends PanelError {
  constructor({ sent }: PanelError, maxRequests: number) {
    super("aborted", sent, [
      `gave up: this command has reached its limit of ${String(maxRequests)} requests`,
      "The panel returns only a few rows per request, or many requests were retried; `pulumi up` has no such limit",
    ]);
  }
}

/** Lets only GETs through to the panel, up to a limit, and counts and times them. */
export class ReadOnlyGuard {
  readonly exchanges: TimedExchange[] = [];
  readonly #spent = new AbortController();

  constructor(
    private readonly clock: Clock,
    private readonly maxRequests: number,
  ) {}

  /** Aborted once the limit is reached. */
  get spent(): AbortSignal {
    return this.#spent.signal;
  }

  /** Returns the error itself, or a `RequestLimitError` if the limit stopped the request. */
  explain(error: PanelError): PanelError {
    return error.kind === "aborted" && this.#spent.signal.aborted
      ? new RequestLimitError(error, this.maxRequests)
      : error;
  }

  wrap(send: Transport): Transport {
    return async (request) => {
      if (request.method !== "GET") throw new TransportFailure("READ_ONLY", false);
      if (this.exchanges.length >= this.maxRequests) {
        this.#spent.abort();
        throw new TransportFailure("ABORTED", false);
      }
      const from = this.clock.now();
      const startedAt = this.clock.wallTime().getTime();
      const record = (isSent: boolean, status?: number): void => {
        const tookMs = this.clock.now() - from;
        this.exchanges.push({
          path: request.path,
          tookMs,
          wallMs: startedAt + tookMs / 2,
          isSent,
          ...omitUndefined({ status }),
        });
      };
      try {
        const answer = await send(request);
        record(true, answer.status);
        return answer;
      } catch (error) {
        record(!(error instanceof TransportFailure) || error.written);
        throw error;
      }
    };
  }
}

export interface PanelReadOptions {
  readonly clock: Clock;
  readonly progress?: (line: string) => void;
  /** Sends the requests. @default HTTP */
  readonly transport?: Transport;
}

/** The number of requests that may have reached the panel. */
export function sentRequests({ exchanges }: ReadOnlyGuard): number {
  return exchanges.filter(({ isSent }) => isSent).length;
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
