import { TransportFailure, type Transport } from "../../provider/panel/transport";
import { createPanelClient, newPagingMemories, type PagingMemories } from "../../provider/panel/client";
import type { PanelClient } from "../../provider/panel/types";
import type { Clock } from "../../provider/plain/clock";
import { clientOptions, type Settings } from "../../provider/inputs/settings";

/** One request that went out, and what came of it. */
export interface Exchange {
  readonly path: string;
  readonly tookMs: number;
  /** Absent where no answer came. */
  readonly status?: number;
  /** Whether any of it can have reached the panel: a connection that is refused is no request. */
  readonly isSent: boolean;
  /** What the wall clock of this machine showed in the middle of it. */
  readonly wallMs: number;
}

/**
 * Stands between the panel's client and the panel: lets nothing out but GETs, counts and times them, and lets none out
 * beyond the most that a look at a panel may cost.
 */
export class ReadOnlyGuard {
  readonly exchanges: Exchange[] = [];
  readonly #spent = new AbortController();

  constructor(
    private readonly clock: Clock,
    private readonly maxRequests: number,
  ) {}

  /** Aborted once the requests are spent. */
  get spent(): AbortSignal {
    return this.#spent.signal;
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
          ...(status !== undefined && { status }),
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

/** What a look at a panel works with. */
export interface PanelReadOptions {
  readonly clock: Clock;
  readonly progress?: (line: string) => void;
  /** What sends requests; the default speaks HTTP. */
  readonly transport?: Transport;
}

/** A client behind a guard, and what it learns of how the panel pages its lists. */
export function guardedClient(
  settings: Settings,
  maxRequests: number,
  { clock, transport }: PanelReadOptions,
): { readonly client: PanelClient; readonly guard: ReadOnlyGuard; readonly paging: PagingMemories } {
  const guard = new ReadOnlyGuard(clock, maxRequests);
  const paging = newPagingMemories();
  const client = createPanelClient({
    ...clientOptions(settings),
    clock,
    paging,
    wrapTransport: (send) => guard.wrap(send),
    ...(transport !== undefined && { transport }),
  });
  return { client, guard, paging };
}
