import type { PanelClient, TransactionId } from "../panel/types";
import type { Clock, Random } from "../plain/clock";
import { HeadCalls } from "./head-calls";
import { LogReader } from "./log-reader";
import { beganSoonAfter, pauseAfterEndsMs, pauseMs } from "./pace";
import { nextRead, type NextRead } from "./schedule";
import { sharedWalk, Surroundings, type Walked } from "./shared-walk";
import { Subscription } from "./subscription";
import type { Feed, Head, HeadOptions, Trouble, Watch, Watching } from "./watching";

export interface FeedOptions extends OutageOptions {
  readonly client: PanelClient;
  /** Rows asked for per request. */
  readonly pageSize: number;
  readonly clock: Clock;
  readonly random: Random;
  /** The longest one request may take with all its tries. */
  readonly requestTimeoutMs: number;
  /** A walk goes no deeper than this many pages, whatever is still missing. */
  readonly maxPages?: number;
  /** A watch threw. The feed goes on without what it would have answered. */
  readonly onWatchError?: (error: unknown) => void;
}

/**
 * An awaited row that the panel no longer lists must not make every tick read its whole history. Ids that
 * compare end the walk long before this.
 */
const defaultMaxPages = 500;
/** Where ids tell that a walk comes to its end, it may go this many times further. */
const inOrderTimes = 10;
/** Pages that a walk reads beyond the rows last met, for a while after one that came to its bound in vain. */
const shallowPages = 10;
/** How long that while is. The row that was not met may be below the bound, or gone, and the panel has other work. */
const restFromDepthMs = 10 * 60_000;

/** One shared walk for everything that waits on one panel in this process. */
export function createFeed(options: FeedOptions): Feed {
  return new SharedFeed(options);
}

class SharedFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #subscriptions = new Set<Subscription>();
  readonly #surroundings = new Surroundings();
  readonly #logs: LogReader;
  readonly #outage: Outage;
  #heads: HeadCalls;
  #headAskedAt: number | undefined;
  #headWishedAt: number | undefined;
  #regularAt: number | undefined;
  #hurriedAt: number | undefined;
  #lastReadAt: number | undefined;
  #lastWalkMs = 0;
  #lastMarkAt: number | undefined;
  #tickedAt = 0;
  /** Waits of restores that have ended since then. */
  #ended = 0;
  #isFollowed = false;
  /** When the next walk is due because of them; a read in between for somebody else does not put it off. */
  #hastenedTo: number | undefined;
  #shallowUntil: number | undefined;
  #pageLength = 1;
  #cancelTimer: (() => void) | undefined;
  #reading: { readonly controller: AbortController; readonly heads: HeadCalls } | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#outage = new Outage(options);
    this.#heads = this.#newHeads();
    this.#logs = new LogReader({
      client: options.client,
      clock: options.clock,
      budgetMs: options.requestTimeoutMs,
      pageSize: options.pageSize,
      newest: () => this.#surroundings.newest,
      positionOf: (id) => this.#surroundings.positionOf(id),
      drift: () => this.#surroundings.driftAt(options.clock.now()),
    });
  }

  head({ when = "at once", ...options }: HeadOptions = {}): Promise<Head> {
    const answer = this.#heads.add(options);
    if (this.#heads.size > 0) {
      if (when === "soon") this.#headWishedAt ??= this.#options.clock.now();
      else this.#headAskedAt ??= this.#options.clock.now();
    }
    this.#plan();
    return answer;
  }

  watch(watch: Watch): Watching {
    const { clock, onWatchError } = this.#options;
    const subscription = new Subscription(watch, clock.now(), onWatchError);
    this.#subscriptions.add(subscription);
    this.#regularAt ??= clock.now() + this.#pause();
    const hurry = (): void => {
      if (!this.#subscriptions.has(subscription)) return;
      this.#hurriedAt ??= clock.now();
      this.#plan();
    };
    hurry();
    return {
      hurry,
      close: () => {
        if (this.#subscriptions.delete(subscription)) {
          subscription.close();
          if (subscription.isSettled) this.#noteEnd(subscription);
          this.#hastenAfterEnds();
          this.#rest();
        }
      },
    };
  }

  logOutput(id: TransactionId, { signal }: { readonly signal?: AbortSignal } = {}): Promise<string | undefined> {
    return this.#logs.read(id, signal);
  }

  /** Sets the one timer to the next read that somebody needs. */
  #plan(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#reading !== undefined) return;
    const next = nextRead({
      regularAt: this.#regularAt,
      hurriedAt: this.#hurriedAt,
      headAskedAt: this.#headAskedAt,
      headWishedAt: this.#headWishedAt,
      lastReadAt: this.#lastReadAt,
      lastReadMs: this.#lastWalkMs,
      lastMarkAt: this.#lastMarkAt,
      failing: this.#outage.failures > 0,
    });
    if (next === undefined) return;
    const { clock } = this.#options;
    this.#cancelTimer = clock.after(Math.max(0, next.at - clock.now()), () => {
      this.#cancelTimer = undefined;
      void this.#read(next.reach);
    });
  }

  /** Reads the list once: for the calls waiting for the newest page, and as far down as `reach` says. */
  async #read(reach: NextRead["reach"]): Promise<void> {
    const { client, clock, pageSize, requestTimeoutMs, maxPages = defaultMaxPages } = this.#options;
    const heads = this.#heads;
    this.#heads = this.#newHeads();
    if (this.#headAskedAt !== undefined) this.#lastMarkAt = clock.now();
    this.#headAskedAt = undefined;
    this.#headWishedAt = undefined;
    const wasHurriedAt = this.#hurriedAt;
    this.#hurriedAt = undefined;
    let ticked = false;
    const controller = new AbortController();
    this.#reading = { controller, heads };
    const startedAt = clock.now();
    const turns = [...this.#subscriptions].map((subscription) => subscription.turn());
    try {
      const walked = await sharedWalk({
        client,
        clock,
        perPage: pageSize,
        budgetMs: Math.max(heads.budgetMs, requestTimeoutMs),
        maxPages: reach === "head" ? 1 : Math.min(maxPages, this.#mostPages()),
        maxPagesInOrder: reach === "head" ? 1 : maxPages * inOrderTimes,
        signal: controller.signal,
        visitors: turns,
        newestBefore: this.#surroundings.newest,
        terrain: {
          placeBefore: (id) => this.#surroundings.lastPlaceOf(id),
          rowsWithin: (ms) => this.#surroundings.rowsWithin(ms),
        },
        onHead: (head) => {
          heads.answer(head);
        },
      });
      // A read for the newest page that happens to show everybody all they wait for is a tick like any other.
      if (reach === "floors" || (turns.length > 0 && walked.complete)) {
        this.#lastWalkMs = clock.now() - startedAt;
        this.#deliver(walked, turns);
        ticked = true;
      }
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error(String(caught));
      heads.fail(error);
      if (reach === "floors" && !controller.signal.aborted) {
        this.#fail(error);
        ticked = true;
      }
    }
    if (!ticked) this.#hurriedAt ??= wasHurriedAt;
    this.#reading = undefined;
    this.#lastReadAt = clock.now();
    this.#rest();
  }

  /** How many pages down the next walk may go. */
  #mostPages(): number {
    const now = this.#options.clock.now();
    if (this.#shallowUntil === undefined || now >= this.#shallowUntil) return Number.POSITIVE_INFINITY;
    return shallowPages + Math.ceil(this.#surroundings.depthAt(now) / this.#pageLength);
  }

  #deliver(walked: Walked, turns: readonly ReturnType<Subscription["turn"]>[]): void {
    const now = this.#options.clock.now();
    this.#pageLength = Math.max(1, walked.head.rows.length);
    if (walked.complete) this.#shallowUntil = undefined;
    else if (this.#mostPages() === Number.POSITIVE_INFINITY) this.#shallowUntil = now + restFromDepthMs;
    this.#surroundings.note(walked);
    this.#outage.over(this.#options.clock.now());
    this.#ended = 0;
    this.#isFollowed = false;
    for (const turn of turns) turn.end(walked);
    this.#tickedAt = this.#options.clock.now();
    if ((this.#hastenedTo ?? 0) <= this.#tickedAt) this.#hastenedTo = undefined;
    this.#regularAt = Math.min(this.#tickedAt + this.#pause(), this.#hastenedTo ?? Number.POSITIVE_INFINITY);
  }

  #noteEnd({ beganAt }: Subscription): void {
    this.#ended++;
    this.#isFollowed ||= [...this.#subscriptions].some((other) => beganSoonAfter(other.beganAt, beganAt));
  }

  #hastenAfterEnds(): void {
    if (this.#regularAt === undefined || this.#outage.failures > 0) return;
    const left = this.#subscriptions.size;
    const pause = pauseAfterEndsMs({
      ended: this.#ended,
      left,
      isFollowed: this.#isFollowed,
      lastWalkMs: this.#lastWalkMs,
    });
    if (pause === undefined) return;
    this.#hastenedTo ??= this.#tickedAt + pause;
    this.#regularAt = Math.min(this.#regularAt, this.#hastenedTo);
  }

  #fail(error: Error): void {
    const trouble = this.#outage.failed(error, this.#options.clock.now());
    for (const subscription of [...this.#subscriptions]) subscription.trouble(trouble);
    this.#regularAt = this.#options.clock.now() + this.#pause();
  }

  /** The pause that the most urgent watch, and the youngest of these, asks for. */
  #pause(): number {
    const now = this.#options.clock.now();
    const ranks = ["steady", "young", "listing"] as const;
    let rank = 0;
    let ageMs = 0;
    for (const subscription of this.#subscriptions) {
      const { urgency, since } = subscription.urgency(now);
      const itsRank = ranks.indexOf(urgency);
      if (itsRank > rank || (itsRank === rank && now - since < ageMs)) ageMs = now - since;
      rank = Math.max(rank, itsRank);
    }
    return pauseMs({
      urgency: ranks[rank] ?? "steady",
      ageMs,
      lastWalkMs: this.#lastWalkMs,
      failures: this.#outage.failures,
      random: this.#options.random,
    });
  }

  /** Plans what is still wanted, and ends what nobody waits for any more. */
  #rest(): void {
    if (this.#subscriptions.size === 0) {
      this.#regularAt = undefined;
      this.#hurriedAt = undefined;
      this.#outage.forget();
      if (this.#reading?.heads.size === 0) this.#reading.controller.abort();
    }
    if (this.#heads.size === 0) {
      this.#headAskedAt = undefined;
      this.#headWishedAt = undefined;
    }
    this.#plan();
  }

  #newHeads(): HeadCalls {
    return new HeadCalls(this.#options.requestTimeoutMs, () => {
      this.#rest();
    });
  }
}

interface OutageOptions {
  /** The first good tick after an outage: said once, however many ticks failed and however many wait. */
  readonly onRecovered?: (outage: { readonly failures: number; readonly lastedMs: number }) => void;
}

/** Counts failed ticks in a row. Each wait hears of each; that it is over is said once for all. */
class Outage {
  readonly #options: OutageOptions;
  #failures = 0;
  #since = 0;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  get failures(): number {
    return this.#failures;
  }

  failed(error: Error, now: number): Trouble {
    this.#failures++;
    if (this.#failures === 1) this.#since = now;
    return { error, inARow: this.#failures };
  }

  over(now: number): void {
    if (this.#failures === 0) return;
    const outage = { failures: this.#failures, lastedMs: now - this.#since };
    this.#failures = 0;
    this.#options.onRecovered?.(outage);
  }

  /** Nobody waits any more: whether the panel is back is not known, and nobody is told. */
  forget(): void {
    this.#failures = 0;
  }
}
