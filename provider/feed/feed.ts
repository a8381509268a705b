import type { PanelClient, Transaction, TransactionId } from "../panel/types";
import type { Clock, Random } from "../plain/clock";
import { Callers, type CallOptions } from "./callers";
import { Descent } from "./floor";
import { LogPages } from "./log-pages";
import { nextRead, pauseMs, type Wanted } from "./pace";
import { type Places, type Visitor, walkDown, type Walked } from "./walk";
import type { Feed, Floor, Head, Watch, Watching } from "./watching";

export interface FeedOptions {
  readonly client: PanelClient;
  /** Rows asked for per request. */
  readonly pageSize: number;
  readonly clock: Clock;
  readonly random: Random;
  /** The longest one request may take with all its tries. */
  readonly requestTimeoutMs: number;
  /** Where ids do not tell when a walk has come far enough, it goes no deeper than this, whatever is still missing. */
  readonly maxPages?: number;
  /** A watch threw. The feed goes on without what it would have answered. */
  readonly onWatchError?: (error: unknown) => void;
  /** The first good tick after an outage: said once, however many ticks failed and however many wait. */
  readonly onRecovered?: (outage: { readonly failures: number; readonly lastedMs: number }) => void;
}

const defaultMaxPages = 500;
/**
 * An awaited row that the panel no longer lists must not make every tick read its whole history. After a walk that has read so many pages
 * in vain, those of the next minutes go no further than that below the rows that were met.
 */
const pagesInVain = 10;
const restFromDepthMs = 10 * 60_000;

/** One shared walk for everything that waits on one panel in this process. */
export function createFeed(options: FeedOptions): Feed {
  return new SharedFeed(options);
}

/** One call of `watch`: the same watch may be handed in twice. */
interface Entry {
  readonly watch: Watch;
}

interface WalkPart extends Visitor {
  readonly entry: Entry;
}

class SharedFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #watches = new Set<Entry>();
  readonly #logs: LogPages;
  #heads: Callers<Head>;
  #headAskedAt: number | undefined;
  #regularAt: number | undefined;
  #hurriedAt: number | undefined;
  #isAskedAgain = false;
  #lastRead: Wanted["lastRead"];
  #lastWalkMs = 0;
  #closedAt = Number.NEGATIVE_INFINITY;
  #places: Places = { newest: undefined, of: new Map() };
  #shallow: { readonly until: number; readonly pages: number } | undefined;
  #outage: { readonly since: number; readonly failures: number; readonly retryAfterMs: number } | undefined;
  #cancelTimer: (() => void) | undefined;
  #reading: { readonly controller: AbortController; readonly heads: Callers<Head> } | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#heads = this.#newHeads();
    this.#logs = new LogPages(options.client, options.requestTimeoutMs);
  }

  head(options: CallOptions = {}): Promise<Head> {
    const answer = this.#heads.add(options);
    if (this.#heads.size > 0) this.#headAskedAt ??= this.#options.clock.now();
    this.#plan();
    return answer;
  }

  watch(watch: Watch): Watching {
    const { clock } = this.#options;
    const entry = { watch };
    this.#watches.add(entry);
    this.#regularAt ??= clock.now() + this.#pause();
    const hurry = (): void => {
      if (!this.#watches.has(entry)) return;
      this.#hurriedAt ??= clock.now();
      this.#plan();
    };
    hurry();
    return {
      hurry,
      again: () => {
        if (!this.#watches.has(entry)) return;
        this.#isAskedAgain = true;
        hurry();
      },
      close: () => {
        if (!this.#watches.delete(entry)) return;
        this.#closedAt = clock.now();
        this.#rest();
      },
    };
  }

  async logOutput(id: TransactionId, { signal }: { readonly signal?: AbortSignal } = {}): Promise<string | undefined> {
    const place = this.#places.of.get(id);
    return place === undefined || signal?.aborted === true ? undefined : this.#logs.read(id, place, signal);
  }

  /** Sets the one timer to the next read that somebody needs. */
  #plan(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#reading !== undefined) return;
    const next = nextRead({
      regularAt: this.#regularAt,
      hurriedAt: this.#hurriedAt,
      isAskedAgain: this.#isAskedAgain,
      headAskedAt: this.#headAskedAt,
      lastRead: this.#lastRead,
      failing: this.#outage !== undefined,
    });
    if (next === undefined) return;
    const { clock } = this.#options;
    this.#cancelTimer = clock.after(Math.max(0, next.at - clock.now()), () => {
      this.#cancelTimer = undefined;
      void this.#read(next.headOnly);
    });
  }

  /** Reads the list once: for the calls waiting for the newest page, and as far down as the watches need unless `headOnly`. */
  async #read(headOnly: boolean): Promise<void> {
    const { client, clock, pageSize, requestTimeoutMs } = this.#options;
    const heads = this.#heads;
    this.#heads = this.#newHeads();
    this.#headAskedAt = undefined;
    const hurriedAt = this.#hurriedAt;
    this.#hurriedAt = undefined;
    const isAskedAgain = this.#isAskedAgain;
    this.#isAskedAgain = false;
    const controller = new AbortController();
    this.#reading = { controller, heads };
    const beganAt = clock.now();
    const parts = [...this.#watches].map((entry) => this.#partOf(entry));
    let isTick = !headOnly;
    try {
      const walked = await walkDown({
        client,
        clock,
        perPage: pageSize,
        budgetMs: Math.max(heads.budgetMs, requestTimeoutMs),
        mostPages: this.#mostPages(),
        headOnly,
        signal: controller.signal,
        visitors: parts,
        before: this.#places,
        onHead: (head) => {
          heads.answer(head);
        },
      });
      // A read of the newest page that happens to show everybody all they need is a tick like any other.
      isTick ||= parts.length > 0 && walked.complete;
      if (isTick) this.#deliver(walked, parts, beganAt);
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error(String(caught));
      heads.fail(error);
      if (isTick && !controller.signal.aborted) this.#fail(error);
    }
    if (!isTick) {
      this.#hurriedAt ??= hurriedAt;
      this.#isAskedAgain ||= isAskedAgain;
    }
    this.#reading = undefined;
    this.#lastRead = { beganAt, endedAt: clock.now(), isAgain: isAskedAgain && isTick };
    this.#rest();
  }

  #partOf(entry: Entry): WalkPart {
    const { watch } = entry;
    return {
      entry,
      descent: new Descent(this.#ask<Floor>(() => watch.floor(), { needs: "one page" })),
      found: new Map<TransactionId, Transaction>(),
      wants: (row) => this.#watches.has(entry) && this.#ask(() => watch.wants(row), false),
    };
  }

  #deliver(walked: Walked, parts: readonly WalkPart[], beganAt: number): void {
    const { clock, onRecovered } = this.#options;
    const now = clock.now();
    const { head, places, pages, lastUsefulPage, requests } = walked;
    this.#lastWalkMs = now - beganAt;
    this.#places = places;
    const enough = lastUsefulPage + pagesInVain;
    if (pages > enough) this.#shallow = { until: now + restFromDepthMs, pages: enough };
    else if (this.#shallow !== undefined) this.#shallow = { ...this.#shallow, pages: enough };
    if (this.#outage !== undefined)
      onRecovered?.({ failures: this.#outage.failures, lastedMs: now - this.#outage.since });
    this.#outage = undefined;
    for (const { entry, descent, found } of parts) {
      if (!this.#watches.has(entry)) continue;
      const { reachedFloor, reachedMark } = descent;
      const tick = { rows: [...found.values()], reachedFloor, reachedMark, atOnce: requests === 1, head };
      this.#ask(() => {
        entry.watch.onTick(tick);
      }, undefined);
    }
    this.#regularAt = now + this.#pause();
  }

  /** How many pages down the next walk may go where ids do not tell its end. */
  #mostPages(): number {
    const { clock, maxPages = defaultMaxPages } = this.#options;
    const { until, pages } = this.#shallow ?? { until: 0, pages: maxPages };
    return clock.now() < until ? Math.min(maxPages, pages) : maxPages;
  }

  #fail(error: Error): void {
    const { clock } = this.#options;
    const wish = "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : 0;
    const inARow = (this.#outage?.failures ?? 0) + 1;
    this.#outage = { since: this.#outage?.since ?? clock.now(), failures: inARow, retryAfterMs: wish };
    for (const { watch } of [...this.#watches]) this.#ask(() => watch.onTrouble?.({ error, inARow }), undefined);
    this.#regularAt = clock.now() + this.#pause();
  }

  /** The youngest of all that is awaited sets the pace, or the last wait that is over. */
  #pause(): number {
    const { clock, random } = this.#options;
    let youngest = this.#closedAt;
    for (const { watch } of this.#watches)
      youngest = Math.max(
        youngest,
        this.#ask(() => watch.since(), youngest),
      );
    return pauseMs({
      ageMs: clock.now() - youngest,
      lastWalkMs: this.#lastWalkMs,
      failures: this.#outage?.failures ?? 0,
      retryAfterMs: this.#outage?.retryAfterMs ?? 0,
      random,
    });
  }

  /** Plans what is still wanted, and ends what nobody waits for any more. */
  #rest(): void {
    if (this.#watches.size === 0) {
      this.#regularAt = undefined;
      this.#hurriedAt = undefined;
      this.#isAskedAgain = false;
      // Whether the panel is back is not known, and nobody is told.
      this.#outage = undefined;
      if (this.#reading?.heads.size === 0) this.#reading.controller.abort();
    }
    if (this.#heads.size === 0) this.#headAskedAt = undefined;
    this.#plan();
  }

  /** What a watch throws stays here: it must not end the waits of others. */
  #ask<T>(question: () => T, otherwise: T): T {
    try {
      return question();
    } catch (error) {
      this.#options.onWatchError?.(error);
      return otherwise;
    }
  }

  #newHeads(): Callers<Head> {
    return new Callers(this.#options.requestTimeoutMs, () => {
      this.#rest();
    });
  }
}
