import type { Feed, NewestPage, Subscriber, Subscription } from "../../../provider/feed/types";
import type { Row } from "../../../provider/rows/chains";
import type { PanelSession } from "../../../provider/restore/panel-session";
import type { LogItem, PanelClient } from "../../../provider/panel/types";
import { createPanelSession } from "../../support/panel-session";
import type { VirtualClock } from "../../support/virtual-clock";
import { newestPageOf, listed, panelAddress, plainWords } from "./rows";

/** A feed that ticks when a test says so. */
export class FakeFeed implements Feed {
  readonly watches = new Set<Subscriber>();
  hurries = 0;
  logs: Record<string, string | undefined> = {};

  constructor(private readonly clock: VirtualClock) {}

  /** What every watch hears: the rows that it wants, and a first page that holds them all. */
  tick(
    rows: readonly Row[],
    {
      reachedFloor = true,
      reachedMark = reachedFloor,
      readAt = this.clock.now(),
    }: { reachedFloor?: boolean; reachedMark?: boolean; readAt?: number } = {},
  ): void {
    const newestPage = newestPageOf(rows, readAt, readAt);
    for (const watch of [...this.watches]) {
      const wanted = rows.map(listed).filter((row) => watch.wants(row));
      watch.onRead({
        rows: wanted,
        newestPage,
        reachedStop: reachedFloor,
        reachedMark,
        stopRule: watch.stopRule(),
        inOneRequest: true,
      });
    }
  }

  fail(error: Error, failuresInARow = 1): void {
    for (const watch of [...this.watches]) watch.onReadFailed?.({ error, failuresInARow });
  }

  subscribe(watch: Subscriber): Subscription {
    this.watches.add(watch);
    return {
      readSoon: () => {
        this.hurries++;
      },
      close: () => {
        this.watches.delete(watch);
      },
    };
  }

  newestPage(): Promise<NewestPage> {
    return Promise.resolve(newestPageOf([]));
  }

  logOutput(id: string): Promise<string | undefined> {
    return Promise.resolve(this.logs[id]);
  }
}

/** A client on which only the machine's log can be read. */
export class LogClient {
  reads = 0;
  answer: () => Promise<readonly Partial<LogItem>[]> = () => Promise.resolve([]);

  async *walkLogItems(_machine: string, options: { readonly signal?: AbortSignal } = {}): AsyncGenerator {
    this.reads++;
    const items = await this.answer();
    options.signal?.throwIfAborted();
    yield { items, skipped: 0 };
  }
}

export function sessionOn(
  clock: VirtualClock,
  feed: Feed,
  client: object = {},
  changes: Partial<PanelSession> = {},
): PanelSession {
  const session = createPanelSession({
    client: Object.assign(client, { address: panelAddress }) as unknown as PanelClient,
    feed,
    clock,
    words: plainWords,
    adoptWindowMs: 6 * 3_600_000,
    requestTimeoutMs: 30_000,
    redact: (text) => text,
    isWatched: () => Promise.resolve(true),
  });
  return { ...session, ...changes };
}
