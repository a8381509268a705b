import type { Page, Transaction, TransactionId } from "../panel/types";

/** The newest page of the transaction list, as one read showed it. Marks are made of it, and busy checks read it. */
export interface NewestPage {
  /** Newest first, as listed; empty on a panel without transactions. */
  readonly rows: Page<Transaction>["items"];
  /** When the read began, by `Clock.now`. The page may miss later events. */
  readonly readAt: number;
  /** When the page arrived. */
  readonly answeredAt: number;
  /** The runner's wall clock when the read began: the time stamp on panels that tell no time of their own. */
  readonly wallTime: Date;
  /** The panel's clock when it answered, if its answer tells. */
  readonly panelTime?: number;
}

/**
 * How far down the list a scan reads for one subscriber.
 *
 *     9  newest row
 *     8                <- stops at the end of this page, if the rule names nothing further down
 *     -- next page --
 *     7
 *     6  awaited row   <- stops here: each awaited row was read, or is proven not to be listed
 *     5
 *     4  mark          <- stops here: every row above the mark was read
 *     3
 */
export interface StopRule {
  readonly mark?: ListPosition;
  /** Rows whose status the subscriber awaits. */
  readonly awaitedIds?: readonly TransactionId[];
  /** Read on around every wanted row until some rows on either side hold no other one: the awaited rows may be part of a chain. */
  readonly around?: boolean;
}

/** The top of the list at an earlier moment. Every row lies above that of an empty list. */
interface ListPosition {
  /** Absent if the list was empty. */
  readonly newestId?: string;
  /** Ids of the newest page, if ids do not compare. The rows above the first one met lie above this position. */
  readonly firstPageIds?: readonly string[];
}

/** One successful scan, as one subscriber sees it. */
export interface ListRead {
  /**
   * Every wanted row on the way to the stop, newest first, with the rows of earlier reads among them. If the mark's
   * ids do not compare, rows below the mark are left out unless they are awaited: nothing else would tell which rows
   * these are.
   */
  readonly rows: readonly Transaction[];
  /** The scan came as far as the stop rule asks. */
  readonly reachedStop: boolean;
  /** The scan read every row above the mark without a gap. False if the rule names no mark. */
  readonly reachedMark: boolean;
  /** The stop rule that the scan went by. */
  readonly stopRule: StopRule;
  /** The walk was one request: all it shows was so at one moment. */
  readonly inOneRequest: boolean;
  readonly newestPage: NewestPage;
}

export interface ReadFailure {
  /** A PanelError: the scan failed after its retries. */
  readonly error: Error;
  /** Failed scans in a row, this one included. */
  readonly failuresInARow: number;
}

/** Somebody who waits for rows of the list. */
export interface Subscriber {
  /** Called before every scan. */
  stopRule(): StopRule;
  /** The feed keeps only rows that somebody wants. */
  wants(row: Transaction): boolean;
  /** Called once in every successful scan for it: as soon as its stop is reached. */
  onRead(listRead: ListRead): void;
  /** Called after a failed scan for it. The subscription goes on; the subscriber decides what the failure means. */
  onReadFailed?(failure: ReadFailure): void;
  /**
   * When the awaited thing began (a POST, a change of phase), by `Clock.now`. The feed reads often right after it.
   * Called before every pause.
   */
  awaitedSince(): number;
}

export interface Subscription {
  /** Reads soon instead of at the next regular time, as far down as this subscriber needs. Many calls share one read. */
  readSoon(): void;
  /** Ends the subscription. Allowed at any time, also from within `onRead`. */
  close(): void;
}

/** One shared scan of a panel's transaction list for everybody in this process who waits on it. */
export interface Feed {
  /** Reads the newest page; the read starts after this call. Calls of about the same time share it with each other and with scans. */
  newestPage(): Promise<NewestPage>;
  subscribe(subscriber: Subscriber): Subscription;
  /**
   * The `log_output` of a row, by one detailed request for the page on which the last scan met it. Undefined if that
   * page does not hold it.
   */
  logOutput(id: TransactionId): Promise<string | undefined>;
}
