import type { Transaction, TransactionId } from "../panel/types";
import type { Random } from "../plain/clock";
import { type ListAccess, ListScan, type RowPositions, type ScanPart } from "./list-scan";
import { nextReadAt, pauseMs, type ReadRequests } from "./pace";
import { ScanProgress } from "./scan-progress";
import { pageLength } from "./search-row";
import type { Feed, NewestPage, StopRule, Subscriber, Subscription } from "./types";

export interface FeedOptions extends ListAccess {
  readonly random: Random;
  /** The limit of a scan whose ids do not tell its end, even if rows are still missing. */
  readonly maxPages?: number;
  /** A subscriber threw. The feed goes on without its answer. */
  readonly onSubscriberError?: (error: unknown) => void;
  /** Called once at the first good read after an outage, however many reads failed and however many subscribers wait. */
  readonly onRecovered?: (outage: { readonly failures: number; readonly lastedMs: number }) => void;
}

const defaultMaxPages = 500;
/**
 * An awaited row may no longer be listed, and must not make every scan read the whole history. After so many pages in
 * vain, the scans of the next minutes end that far below the lowest useful row.
 */
const mostFruitlessPages = 10;
const shallowForMs = 10 * 60_000;

/** Creates the one feed of a panel in this process. */
export function createFeed(options: FeedOptions): Feed {
  return new SharedFeed(options);
}

/** One call of `subscribe` or `newestPage`: the same subscriber may come twice. */
interface Entry {
  readonly subscriber: Subscriber;
  readonly reads: "regularly" | "once";
  /** By when it asks for a read besides the regular ones; `never` if it does not. */
  askedBy: number;
}

const never = Number.POSITIVE_INFINITY;

/** The time for calls of the same moment to join one read. */
const joinWindowMs = 50;
/** A new subscriber gets a read this soon: its row needs that time to be listed. */
const earlyReadMs = 150;
/** A scan due within this time comes forward: the same request serves whoever asks for an early one. */
const mergeWithinMs = 1_000;

class SharedFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #entries = new Set<Entry>();
  /** The logs of pages of ten rows that are being read: calls for rows of one page share its request. */
  readonly #logsBeingRead = new Map<number, Promise<ReadonlyMap<TransactionId, string | undefined>>>();
  #regularAt = never;
  #lastRead: ReadRequests["lastRead"];
  #lastScanMs = 0;
  #lastClosedAt = Number.NEGATIVE_INFINITY;
  #positions: RowPositions = new Map();
  #shallow = { until: -never, pages: 0 };
  #outage: { readonly since: number; readonly failures: number; readonly retryAfterMs: number } | undefined;
  #cancelTimer: (() => void) | undefined;
  #reading: AbortController | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  newestPage(): Promise<NewestPage> {
    return new Promise((resolve, reject) => {
      const entry = this.#enter("once", {
        stopRule: () => ({}),
        wants: () => false,
        awaitedSince: () => Number.NEGATIVE_INFINITY,
        onRead: ({ newestPage }) => {
          this.#leave(entry);
          resolve(newestPage);
        },
        onReadFailed: ({ error }) => {
          this.#leave(entry);
          reject(error);
        },
      });
      this.#ask(entry, joinWindowMs);
    });
  }

  subscribe(subscriber: Subscriber): Subscription {
    const { clock } = this.#options;
    const entry = this.#enter("regularly", subscriber);
    if (this.#regularAt === never) this.#regularAt = clock.now() + this.#nextPauseMs();
    const readSoon = (): void => {
      this.#ask(entry, earlyReadMs);
    };
    readSoon();
    return {
      readSoon,
      close: () => {
        if (this.#leave(entry)) this.#lastClosedAt = clock.now();
      },
    };
  }

  #enter(reads: Entry["reads"], subscriber: Subscriber): Entry {
    const entry: Entry = { subscriber, reads, askedBy: never };
    this.#entries.add(entry);
    return entry;
  }

  #ask(entry: Entry, withinMs: number): void {
    if (!this.#entries.has(entry)) return;
    entry.askedBy = Math.min(entry.askedBy, this.#options.clock.now() + withinMs);
    this.#schedule();
  }

  /** Ends reads nobody waits for any more. */
  #leave(entry: Entry): boolean {
    const wasIn = this.#entries.delete(entry);
    if (![...this.#entries].some(({ reads }) => reads === "regularly")) {
      this.#regularAt = never;
      // Nobody learns if the panel is back, so no recovery may be reported.
      this.#outage = undefined;
    }
    if (this.#entries.size === 0) this.#reading?.abort();
    this.#schedule();
    return wasIn;
  }

  async logOutput(id: TransactionId): Promise<string | undefined> {
    const known = this.#positions.get(id);
    if (known === undefined) return undefined;
    const page = Math.floor(known.position / pageLength) + 1;
    const logs = this.#logsBeingRead.get(page) ?? this.#readLogs(page);
    this.#logsBeingRead.set(page, logs);
    return (await logs).get(id);
  }

  /** A log is an extra: a failure to read it must not change how a restore ended. */
  async #readLogs(page: number): Promise<ReadonlyMap<TransactionId, string | undefined>> {
    const { client, requestTimeoutMs: budgetMs } = this.#options;
    try {
      const { items } = await client.listTransactions({ page, detailed: true }, { budgetMs });
      return new Map(items.map((row) => [row.id, row.logOutput]));
    } catch {
      return new Map();
    } finally {
      this.#logsBeingRead.delete(page);
    }
  }

  /** Sets the one timer to the next read somebody needs. */
  #schedule(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#reading !== undefined) return;
    const { clock } = this.#options;
    const at = nextReadAt({
      regularAt: this.#regularAt,
      askedBy: Math.min(...[...this.#entries].map(({ askedBy }) => askedBy)),
      lastRead: this.#lastRead,
      isFailing: this.#outage !== undefined,
    });
    if (at === never) return;
    this.#cancelTimer = clock.after(Math.max(0, at - clock.now()), () => {
      this.#cancelTimer = undefined;
      void this.#read();
    });
  }

  /** Reads the list once, as far down as those need who have asked for it; at the regular time all have. */
  async #read(): Promise<void> {
    const { clock, maxPages = defaultMaxPages } = this.#options;
    const controller = new AbortController();
    this.#reading = controller;
    const beganAt = clock.now();
    const isRegular = this.#regularAt - beganAt <= mergeWithinMs;
    const previousPositions = this.#positions;
    // A scan for all forgets the rows that nobody wants any more.
    const positions: RowPositions = isRegular ? new Map<never, never>() : previousPositions;
    const waiting = new Set(this.#entries);
    const parts = [...waiting].map((entry): ScanPart => {
      const { subscriber, askedBy } = entry;
      entry.askedBy = never;
      return {
        isDue: isRegular || askedBy !== never,
        progress: new ScanProgress(this.#guarded<StopRule>(() => subscriber.stopRule(), {})),
        found: new Map<TransactionId, Transaction>(),
        wants: (row) => this.#entries.has(entry) && this.#guarded(() => subscriber.wants(row), false),
        onRead: (read) => {
          waiting.delete(entry);
          if (!this.#entries.has(entry)) return;
          this.#positions = positions;
          this.#endOutage();
          this.#guarded(() => {
            subscriber.onRead(read);
          }, undefined);
        },
      };
    });
    const { until, pages } = this.#shallow;
    const pageLimit = beganAt < until ? Math.min(maxPages, pages) : maxPages;
    const scan = new ListScan({
      ...this.#options,
      pageLimit,
      signal: controller.signal,
      parts,
      previousPositions,
      positions,
    });
    try {
      await scan.run();
      if (this.#regularAt !== never && waiting.size === 0) {
        const now = clock.now();
        const enough = scan.lastUsefulPage + mostFruitlessPages;
        this.#shallow = { until: scan.pages > enough ? now + shallowForMs : until, pages: enough };
        this.#lastScanMs = now - beganAt;
        this.#regularAt = now + this.#nextPauseMs();
      }
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error(String(caught));
      if (!controller.signal.aborted) this.#fail(error, waiting);
    }
    this.#reading = undefined;
    this.#lastRead = { beganAt, endedAt: clock.now() };
    this.#schedule();
  }

  #endOutage(): void {
    if (this.#outage === undefined) return;
    const { failures, since } = this.#outage;
    this.#outage = undefined;
    this.#options.onRecovered?.({ failures, lastedMs: this.#options.clock.now() - since });
  }

  #fail(error: Error, waiting: Iterable<Entry>): void {
    const { clock } = this.#options;
    const retryAfterMs = "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : 0;
    const failuresInARow = (this.#outage?.failures ?? 0) + 1;
    this.#outage = { since: this.#outage?.since ?? clock.now(), failures: failuresInARow, retryAfterMs };
    if (this.#regularAt !== never) this.#regularAt = clock.now() + this.#nextPauseMs();
    for (const { subscriber } of waiting)
      this.#guarded(() => subscriber.onReadFailed?.({ error, failuresInARow }), undefined);
  }

  /** The youngest awaited thing sets the pace, or the wait that ended last. */
  #nextPauseMs(): number {
    const { clock, random } = this.#options;
    const began = [...this.#entries].map(({ subscriber }) => this.#guarded(() => subscriber.awaitedSince(), -never));
    return pauseMs({
      ageMs: clock.now() - Math.max(this.#lastClosedAt, ...began),
      lastScanMs: this.#lastScanMs,
      failures: this.#outage?.failures ?? 0,
      retryAfterMs: this.#outage?.retryAfterMs ?? 0,
      random,
    });
  }

  /** A subscriber's exception stays here: it must not end the waits of others. */
  #guarded<T>(question: () => T, otherwise: T): T {
    try {
      return question();
    } catch (error) {
      this.#options.onSubscriberError?.(error);
      return otherwise;
    }
  }
}
