import type { PanelClient, Transaction, TransactionId } from "../panel/types";
import type { Clock, Random } from "../plain/clock";
import { type RowPositions, type ScanPart, scanList } from "./list-scan";
import { LogPages } from "./log-pages";
import { nextReadAt, pauseMs, type ReadRequests } from "./pace";
import { ScanProgress } from "./scan-progress";
import type { Feed, NewestPage, StopRule, Subscriber, Subscription } from "./types";

export interface FeedOptions {
  readonly client: PanelClient;
  /** Rows asked for per request. */
  readonly pageSize: number;
  readonly clock: Clock;
  readonly random: Random;
  /** The longest time for one request with all its tries. */
  readonly requestTimeoutMs: number;
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
  /** By when it asks for a read besides the regular ones. */
  askedBy: number | undefined;
}

/** The time for calls of the same moment to join one read. */
const joinWindowMs = 50;
/** A new subscriber gets a read this soon: its row needs that time to be listed. */
const earlyReadMs = 150;
/** A scan due within this time comes forward: the same request serves whoever asks for an early one. */
const mergeWithinMs = 1_000;

class SharedFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #entries = new Set<Entry>();
  readonly #logs: LogPages;
  #regularAt: number | undefined;
  #lastRead: ReadRequests["lastRead"];
  #lastScanMs = 0;
  #lastClosedAt = Number.NEGATIVE_INFINITY;
  #positions: RowPositions = new Map();
  #shallow: { readonly until: number; readonly pages: number } | undefined;
  #outage: { readonly since: number; readonly failures: number; readonly retryAfterMs: number } | undefined;
  #cancelTimer: (() => void) | undefined;
  #reading: AbortController | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#logs = new LogPages(options.client, options.requestTimeoutMs);
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
    this.#regularAt ??= clock.now() + this.#nextPauseMs();
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
    const entry: Entry = { subscriber, reads, askedBy: undefined };
    this.#entries.add(entry);
    return entry;
  }

  #ask(entry: Entry, withinMs: number): void {
    if (!this.#entries.has(entry)) return;
    entry.askedBy ??= this.#options.clock.now() + withinMs;
    this.#schedule();
  }

  /** Ends reads nobody waits for any more. */
  #leave(entry: Entry): boolean {
    const wasIn = this.#entries.delete(entry);
    if (![...this.#entries].some(({ reads }) => reads === "regularly")) {
      this.#regularAt = undefined;
      // Nobody learns if the panel is back, so no recovery may be reported.
      this.#outage = undefined;
    }
    if (this.#entries.size === 0) this.#reading?.abort();
    this.#schedule();
    return wasIn;
  }

  async logOutput(id: TransactionId): Promise<string | undefined> {
    const known = this.#positions.get(id);
    return known && this.#logs.read(id, known.position);
  }

  /** Sets the one timer to the next read somebody needs. */
  #schedule(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#reading !== undefined) return;
    const { clock } = this.#options;
    const asked = [...this.#entries].flatMap(({ askedBy }) => askedBy ?? []);
    const at = nextReadAt({
      regularAt: this.#regularAt,
      askedBy: asked.length === 0 ? undefined : Math.min(...asked),
      lastRead: this.#lastRead,
      isFailing: this.#outage !== undefined,
    });
    if (at === undefined) return;
    this.#cancelTimer = clock.after(Math.max(0, at - clock.now()), () => {
      this.#cancelTimer = undefined;
      void this.#read();
    });
  }

  /** Reads the list once, as far down as those need who have asked for it; at the regular time all have. */
  async #read(): Promise<void> {
    const { client, clock, pageSize, requestTimeoutMs } = this.#options;
    const controller = new AbortController();
    this.#reading = controller;
    const beganAt = clock.now();
    const isRegular = this.#regularAt !== undefined && this.#regularAt - beganAt <= mergeWithinMs;
    const previousPositions = this.#positions;
    // A scan for all forgets the rows that nobody wants any more.
    const positions: RowPositions = isRegular ? new Map<never, never>() : previousPositions;
    const waiting = new Set(this.#entries);
    const parts = [...waiting].map((entry): ScanPart => {
      const { subscriber, askedBy } = entry;
      entry.askedBy = undefined;
      return {
        isDue: isRegular || askedBy !== undefined,
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
    try {
      const { pages, lastUsefulPage } = await scanList({
        client,
        clock,
        perPage: pageSize,
        budgetMs: requestTimeoutMs,
        pageLimit: this.#pageLimit(),
        signal: controller.signal,
        parts,
        previousPositions,
        positions,
      });
      if (this.#regularAt !== undefined && waiting.size === 0) {
        const now = clock.now();
        const enough = lastUsefulPage + mostFruitlessPages;
        if (pages > enough) this.#shallow = { until: now + shallowForMs, pages: enough };
        else if (this.#shallow !== undefined) this.#shallow = { ...this.#shallow, pages: enough };
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

  /** The page limit of the next scan if ids do not tell its end. */
  #pageLimit(): number {
    const { clock, maxPages = defaultMaxPages } = this.#options;
    const { until, pages } = this.#shallow ?? { until: 0, pages: maxPages };
    return clock.now() < until ? Math.min(maxPages, pages) : maxPages;
  }

  #fail(error: Error, waiting: Iterable<Entry>): void {
    const { clock } = this.#options;
    const retryAfterMs = "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : 0;
    const failuresInARow = (this.#outage?.failures ?? 0) + 1;
    this.#outage = { since: this.#outage?.since ?? clock.now(), failures: failuresInARow, retryAfterMs };
    if (this.#regularAt !== undefined) this.#regularAt = clock.now() + this.#nextPauseMs();
    for (const { subscriber } of waiting)
      this.#guarded(() => subscriber.onReadFailed?.({ error, failuresInARow }), undefined);
  }

  /** The youngest awaited thing sets the pace, or the wait that ended last. */
  #nextPauseMs(): number {
    const { clock, random } = this.#options;
    let youngest = this.#lastClosedAt;
    for (const { subscriber } of this.#entries)
      youngest = Math.max(
        youngest,
        this.#guarded(() => subscriber.awaitedSince(), youngest),
      );
    return pauseMs({
      ageMs: clock.now() - youngest,
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
