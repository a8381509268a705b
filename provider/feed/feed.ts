import type { PanelClient, Transaction, TransactionId } from "../panel/types";
import type { Clock, Random } from "../plain/clock";
import { type RowPositions, type ScanPart, scanList, type ScanResult } from "./list-scan";
import { LogPages } from "./log-pages";
import { nextRead, pauseMs, type ReadRequests } from "./pace";
import { ScanProgress } from "./scan-progress";
import type { Feed, NewestPage, StopRule, Subscriber, Subscription } from "./types";
import { type CallOptions, Waiters } from "./waiters";

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

/** One call of `subscribe`: the same subscriber may come twice. */
interface Entry {
  readonly subscriber: Subscriber;
}

interface SubscriberPart extends ScanPart {
  readonly entry: Entry;
}

class SharedFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #entries = new Set<Entry>();
  readonly #logs: LogPages;
  #newestPageWaiters: Waiters<NewestPage>;
  #newestPageAskedAt: number | undefined;
  #regularAt: number | undefined;
  #soonAskedAt: number | undefined;
  #isRepeatAsked = false;
  #lastRead: ReadRequests["lastRead"];
  #lastScanMs = 0;
  #lastClosedAt = Number.NEGATIVE_INFINITY;
  #positions: RowPositions = { newestId: undefined, byId: new Map() };
  #shallow: { readonly until: number; readonly pages: number } | undefined;
  #outage: { readonly since: number; readonly failures: number; readonly retryAfterMs: number } | undefined;
  #cancelTimer: (() => void) | undefined;
  #reading: { readonly controller: AbortController; readonly waiters: Waiters<NewestPage> } | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#newestPageWaiters = this.#newWaiters();
    this.#logs = new LogPages(options.client, options.requestTimeoutMs);
  }

  newestPage(options: CallOptions = {}): Promise<NewestPage> {
    const answer = this.#newestPageWaiters.add(options);
    if (this.#newestPageWaiters.size > 0) this.#newestPageAskedAt ??= this.#options.clock.now();
    this.#schedule();
    return answer;
  }

  subscribe(subscriber: Subscriber): Subscription {
    const { clock } = this.#options;
    const entry = { subscriber };
    this.#entries.add(entry);
    this.#regularAt ??= clock.now() + this.#nextPauseMs();
    const readSoon = (): void => {
      if (!this.#entries.has(entry)) return;
      this.#soonAskedAt ??= clock.now();
      this.#schedule();
    };
    readSoon();
    return {
      readSoon,
      readAgain: () => {
        if (!this.#entries.has(entry)) return;
        this.#isRepeatAsked = true;
        readSoon();
      },
      close: () => {
        if (!this.#entries.delete(entry)) return;
        this.#lastClosedAt = clock.now();
        this.#scheduleOrStop();
      },
    };
  }

  async logOutput(id: TransactionId, { signal }: { readonly signal?: AbortSignal } = {}): Promise<string | undefined> {
    const position = this.#positions.byId.get(id);
    return position === undefined || signal?.aborted === true ? undefined : this.#logs.read(id, position, signal);
  }

  /** Sets the one timer to the next read somebody needs. */
  #schedule(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#reading !== undefined) return;
    const next = nextRead({
      regularAt: this.#regularAt,
      soonAskedAt: this.#soonAskedAt,
      isRepeatAsked: this.#isRepeatAsked,
      newestPageAskedAt: this.#newestPageAskedAt,
      lastRead: this.#lastRead,
      isFailing: this.#outage !== undefined,
    });
    if (next === undefined) return;
    const { clock } = this.#options;
    this.#cancelTimer = clock.after(Math.max(0, next.at - clock.now()), () => {
      this.#cancelTimer = undefined;
      void this.#read(next.newestPageOnly);
    });
  }

  /** Reads the list once: for the calls of `newestPage`, and unless `newestPageOnly` as far down as the subscribers need. */
  async #read(newestPageOnly: boolean): Promise<void> {
    const { client, clock, pageSize, requestTimeoutMs } = this.#options;
    const waiters = this.#newestPageWaiters;
    this.#newestPageWaiters = this.#newWaiters();
    this.#newestPageAskedAt = undefined;
    const soonAskedAt = this.#soonAskedAt;
    this.#soonAskedAt = undefined;
    const isRepeatAsked = this.#isRepeatAsked;
    this.#isRepeatAsked = false;
    const controller = new AbortController();
    this.#reading = { controller, waiters };
    const beganAt = clock.now();
    const parts = [...this.#entries].map((entry) => this.#partOf(entry));
    let isDelivered = !newestPageOnly;
    try {
      const result = await scanList({
        client,
        clock,
        perPage: pageSize,
        budgetMs: Math.max(waiters.budgetMs, requestTimeoutMs),
        pageLimit: this.#pageLimit(),
        newestPageOnly,
        signal: controller.signal,
        parts,
        previousPositions: this.#positions,
        onNewestPage: (newestPage) => {
          waiters.answer(newestPage);
        },
      });
      // A newest page that shows every subscriber all they need is a scan like any other.
      isDelivered ||= parts.length > 0 && result.complete;
      if (isDelivered) this.#deliver(result, parts, beganAt);
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error(String(caught));
      waiters.fail(error);
      if (isDelivered && !controller.signal.aborted) this.#fail(error);
    }
    if (!isDelivered) {
      this.#soonAskedAt ??= soonAskedAt;
      this.#isRepeatAsked ||= isRepeatAsked;
    }
    this.#reading = undefined;
    this.#lastRead = { beganAt, endedAt: clock.now(), isRepeat: isRepeatAsked && isDelivered };
    this.#scheduleOrStop();
  }

  #partOf(entry: Entry): SubscriberPart {
    const { subscriber } = entry;
    return {
      entry,
      progress: new ScanProgress(this.#guarded<StopRule>(() => subscriber.stopRule(), {})),
      found: new Map<TransactionId, Transaction>(),
      wants: (row) => this.#entries.has(entry) && this.#guarded(() => subscriber.wants(row), false),
    };
  }

  #deliver(result: ScanResult, parts: readonly SubscriberPart[], beganAt: number): void {
    const { clock, onRecovered } = this.#options;
    const now = clock.now();
    const { newestPage, positions, pages, lastUsefulPage, requests } = result;
    this.#lastScanMs = now - beganAt;
    this.#positions = positions;
    const enough = lastUsefulPage + mostFruitlessPages;
    if (pages > enough) this.#shallow = { until: now + shallowForMs, pages: enough };
    else if (this.#shallow !== undefined) this.#shallow = { ...this.#shallow, pages: enough };
    if (this.#outage !== undefined)
      onRecovered?.({ failures: this.#outage.failures, lastedMs: now - this.#outage.since });
    this.#outage = undefined;
    for (const { entry, progress, found } of parts) {
      if (!this.#entries.has(entry)) continue;
      const { reachedStop, reachedMark, stopRule } = progress;
      const listRead = {
        rows: [...found.values()],
        reachedStop,
        reachedMark,
        stopRule,
        inOneRequest: requests === 1,
        newestPage,
      };
      this.#guarded(() => {
        entry.subscriber.onRead(listRead);
      }, undefined);
    }
    this.#regularAt = now + this.#nextPauseMs();
  }

  /** The page limit of the next scan if ids do not tell its end. */
  #pageLimit(): number {
    const { clock, maxPages = defaultMaxPages } = this.#options;
    const { until, pages } = this.#shallow ?? { until: 0, pages: maxPages };
    return clock.now() < until ? Math.min(maxPages, pages) : maxPages;
  }

  #fail(error: Error): void {
    const { clock } = this.#options;
    const retryAfterMs = "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : 0;
    const failuresInARow = (this.#outage?.failures ?? 0) + 1;
    this.#outage = { since: this.#outage?.since ?? clock.now(), failures: failuresInARow, retryAfterMs };
    for (const { subscriber } of [...this.#entries])
      this.#guarded(() => subscriber.onReadFailed?.({ error, failuresInARow }), undefined);
    this.#regularAt = clock.now() + this.#nextPauseMs();
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

  /** Schedules the next read, and ends reads nobody waits for any more. */
  #scheduleOrStop(): void {
    if (this.#entries.size === 0) {
      this.#regularAt = undefined;
      this.#soonAskedAt = undefined;
      this.#isRepeatAsked = false;
      // Nobody learns if the panel is back, so no recovery may be reported.
      this.#outage = undefined;
      if (this.#reading?.waiters.size === 0) this.#reading.controller.abort();
    }
    if (this.#newestPageWaiters.size === 0) this.#newestPageAskedAt = undefined;
    this.#schedule();
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

  #newWaiters(): Waiters<NewestPage> {
    return new Waiters(this.#options.requestTimeoutMs, () => {
      this.#scheduleOrStop();
    });
  }
}
