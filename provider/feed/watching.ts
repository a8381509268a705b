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

/** Where a mark lies in the list, and which rows are awaited. */
export interface Floor {
  /** The newest id of the mark, where ids compare. */
  readonly above?: TransactionId;
  /** Ids of the mark's page, where ids do not compare. */
  readonly aboveIds?: readonly TransactionId[];
  /** The mark was an empty list: everything is above it. */
  readonly aboveNothing?: boolean;
  /** Rows whose status is awaited. */
  readonly ids?: readonly TransactionId[];
  /** What the walk has to reach: every row above the mark read, or all `ids` met or known not to be listed. */
  readonly needs: "one page" | "ids" | "mark";
}

export interface Tick {
  /** Every row this watch wants that this walk has met, newest first: also those it has heard of before. */
  readonly rows: readonly Transaction[];
  /** The walk came as far down as the floor needs. */
  readonly reachedFloor: boolean;
  /** Every row above the floor's mark was read without a gap, also where only `ids` were needed. False where the floor names no mark. */
  readonly reachedMark: boolean;
  /** The walk was one request: all it shows was so at one moment. */
  readonly atOnce: boolean;
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
  /** Which rows this watch hears of. Rows nobody wants are not kept. */
  wants(row: Transaction): boolean;
  /** Every walk that succeeded, also when nothing changed. */
  onTick(tick: Tick): void;
  /** A walk that failed. It ends nothing: the watch decides what it means to it. */
  onTrouble?(trouble: Trouble): void;
  /** When what is awaited began, a POST for example: looks are quick right after it. Asked before every pause. */
  since(): number;
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
}

/** One shared walk of one panel's transaction list for everything that waits on it in this process. */
export interface Feed {
  /** A read of the newest page that starts after this call. Calls at about the same time share it. */
  head(options?: HeadOptions): Promise<Head>;
  watch(watch: Watch): Watching;
  /** The `log_output` of a row that a tick has shown: one `?detailed` request for the page it was on. Undefined when that does not give it. */
  logOutput(id: TransactionId, options?: { readonly signal?: AbortSignal }): Promise<string | undefined>;
}
