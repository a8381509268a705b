import type { Page, Transaction, TransactionId } from "../panel/types";

/** The newest page of the transaction list as one read showed it: what a mark is made of, and what a busy check reads. */
export interface Head {
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

/**
 * How far down a watch has to see. The walk of a tick goes down until the floor of every watch is reached:
 * all of `ids` were seen, or (with decimal ids) rows are older than all of them and older than `above`, or
 * one of `aboveIds` was met. Once all of `ids` were seen, enough was seen, also where there is a mark further down. Nothing
 * set: one page is enough.
 */
export interface Floor {
  /** Newest id of the mark: rows above it have to be seen. */
  readonly above?: TransactionId;
  /** Ids of the mark's first page, for panels whose ids do not compare. */
  readonly aboveIds?: readonly TransactionId[];
  /** The mark was an empty list: everything is above it. */
  readonly aboveNothing?: boolean;
  /**
   * With `above…`: rows changed since then, by the panel's stamps, have to be seen as well, and the page that ends the walk ends
   * with an older one. A list may be sorted by the last change, and then rows of long ago stand above new ones.
   */
  readonly changedSince?: number;
  /** Rows whose status is awaited. While one of them is missing, the walk goes down to the mark as well where `above…` is set. */
  readonly ids?: readonly TransactionId[];
  /** With `ids` and without `above…`: the rows around them are shown as well, where the other rows of their chains lie. */
  readonly around?: true;
}

export interface Tick {
  /** Rows this watch wants that are new to it or changed since it last heard of them, newest first. */
  readonly changed: readonly Transaction[];
  /** True when the walk got down to this watch's floor (or to the end of the list). */
  readonly reachedFloor: boolean;
  readonly head: Head;
}

export interface Trouble {
  /** A PanelError: the walk of this tick failed after its retries. */
  readonly error: Error;
  /** Failed ticks in a row, this one included. */
  readonly inARow: number;
}

export interface Watch {
  /** Asked before every walk. */
  floor(): Floor;
  /** Which rows above or at the floor this watch hears of. Rows nobody wants are not kept. */
  wants(row: Transaction): boolean;
  /** Every walk that succeeded, also when nothing changed. */
  onTick(tick: Tick): void;
  /** A walk that failed. It ends nothing: the watch decides what it means to it. */
  onTrouble?(trouble: Trouble): void;
  /** What is awaited sets the pace: `listing` (about to appear), `young`, or `steady`. Asked before every pause. */
  urgency(): "listing" | "young" | "steady";
}

export interface Watching {
  /** Look soon rather than at the next regular tick; many calls make one look. */
  hurry(): void;
  /** Hear no more. At any time, also from within `onTick`. */
  close(): void;
}

export interface HeadOptions {
  readonly signal?: AbortSignal;
  readonly budgetMs?: number;
  /** `soon` keeps the distance from the read before it that an early look keeps, so that more calls share one read. @default "at once" */
  readonly when?: "at once" | "soon";
}

/** One shared walk of one panel's transaction list for everything that waits on it in this process. */
export interface Feed {
  /** A read of the newest page that starts after this call. Calls at about the same time share it. */
  head(options?: HeadOptions): Promise<Head>;
  watch(watch: Watch): Watching;
  /**
   * The `log_output` of rows that have been seen by a tick: one `?detailed` request, shared by calls made in the same tick, and a
   * few more for a row that is not where it was expected. Undefined when the panel did not give it.
   */
  logOutput(id: TransactionId, options?: { readonly signal?: AbortSignal }): Promise<string | undefined>;
}
