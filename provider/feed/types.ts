import type { Page, Transaction, TransactionId } from "../panel/types";
import type { CallOptions } from "./waiters";

/** The newest page of the transaction list as one read showed it: what a mark is made of, and what a busy check reads. */
export interface NewestPage {
  /** Newest first, as listed; empty on a panel without transactions. */
  readonly rows: Page<Transaction>["items"];
  /** When the read began, by the clock that only goes forward. What happened later may not be in it. */
  readonly readAt: number;
  /** When the page had come. */
  readonly answeredAt: number;
  /** The runner's wall clock when the read began: a stamp where the panel tells no time of its own. */
  readonly wallTime: Date;
  /** The panel's clock when it answered, where it says so. */
  readonly panelTime?: number;
}

/** Where a mark lies in the list, and which rows are awaited. */
export interface StopRule {
  /** Newest id of the mark, where it is decimal. */
  readonly markId?: TransactionId;
  /** Ids of the mark's page, where ids do not compare: above is what a walk meets before the first of them. */
  readonly markPageIds?: readonly TransactionId[];
  /** The mark was an empty list: everything is above it. */
  readonly markIsEmptyList?: boolean;
  /** Rows whose status is awaited. */
  readonly awaitedIds?: readonly TransactionId[];
  /** What the walk has to reach: the mark (every row above it read), or all `ids` met (or proven not listed). Nothing set: one page is enough. */
  readonly stopAt: "one page" | "ids" | "mark";
}

export interface ListRead {
  /**
   * Every row this watch wants that this walk has met on its way to the floor, newest first: also those heard of before. Where
   * the mark's ids do not compare, none from below the mark but the awaited ones: nothing else would tell which these are.
   */
  readonly rows: readonly Transaction[];
  /** The walk came as far as the floor needs. */
  readonly reachedStop: boolean;
  /** Every row above the mark of the floor was read without a gap, also where only `ids` were needed. False where the floor names no mark. */
  readonly reachedMark: boolean;
  /** What the scan went by. */
  readonly stopRule: StopRule;
  /** The walk was one request: all it shows was so at one moment. */
  readonly inOneRequest: boolean;
  readonly newestPage: NewestPage;
}

export interface ReadFailure {
  /** A PanelError: the walk of this tick failed after its retries. */
  readonly error: Error;
  /** Failed ticks in a row, this one included. */
  readonly failuresInARow: number;
}

export interface Subscriber {
  /** Asked before every walk. */
  stopRule(): StopRule;
  /** Rows nobody wants are not kept. */
  wants(row: Transaction): boolean;
  /** Every walk that succeeded. */
  onRead(listRead: ListRead): void;
  /** A walk that failed. It ends nothing: the watch decides what it means to it. */
  onReadFailed?(failure: ReadFailure): void;
  /**
   * When what is awaited began (a POST, a change of phase), by the clock that only goes forward: the pace is quick right after it.
   * Asked before every pause.
   */
  awaitedSince(): number;
}

export interface Subscription {
  /** Look soon rather than at the next regular tick; many calls make one look. */
  readSoon(): void;
  /** Look again at once: what the last tick showed decides nothing. */
  readAgain(): void;
  /** Hear no more. At any time, also from within `onTick`. */
  close(): void;
}

/** One shared walk of one panel's transaction list for everything that waits on it in this process. */
export interface Feed {
  /** A read of the newest page that starts after this call; calls within 125 ms share one read, and a walk's first page serves as well. */
  newestPage(options?: CallOptions): Promise<NewestPage>;
  subscribe(subscribe: Subscriber): Subscription;
  /** The `log_output` of a row: one detailed request for the page on which the last walk met it; undefined where that does not have it. */
  logOutput(id: TransactionId, options?: { readonly signal?: AbortSignal }): Promise<string | undefined>;
}
