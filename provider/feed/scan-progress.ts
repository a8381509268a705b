import { compareIds, isDecimalId, type Transaction, type TransactionId } from "../panel/types";
import type { StopRule } from "./types";

/** So many rows on either side of a chain hold none of it: the panel lists what it makes at once close together. */
const rowsAround = 10;

/** One subscriber's way down the list in one scan: it decides which rows the subscriber sees, and when the stop is reached. */
export class ScanProgress {
  readonly stopRule: StopRule;
  /** The mark's id, if it is decimal. */
  readonly #markId: TransactionId | undefined;
  /** The mark's page, where its ids do not compare; undefined where they do, or there is no mark of this kind. */
  readonly #markIds: ReadonlySet<string> | undefined;
  readonly #awaited: ReadonlySet<TransactionId>;
  /** Awaited rows that no page has shown yet, and that may be listed. */
  readonly missing: Set<TransactionId>;
  reachedMark = false;
  #metMarkId = false;
  #hasReadPage = false;
  /** The rows read without a gap above the first wanted row, and those below the last one. */
  #rowsAbove = Number.POSITIVE_INFINITY;
  #below: Set<TransactionId> | undefined;

  constructor(stopRule: StopRule) {
    this.stopRule = stopRule;
    const { mark: { newestId, firstPageIds = [newestId ?? ""] } = {}, awaitedIds: ids = [] } = stopRule;
    if (newestId !== undefined && isDecimalId(newestId)) this.#markId = newestId as TransactionId;
    else if (newestId !== undefined) this.#markIds = new Set(firstPageIds);
    this.#awaited = new Set(ids);
    this.missing = new Set(ids);
  }

  /** Takes a row of the scan; true if the subscriber may see it. */
  takeRow({ id }: Transaction): boolean {
    if (this.#markIds?.has(id) === true) this.#metMarkId = true;
    this.missing.delete(id);
    if (this.#below) this.#below.add(id);
    else this.#rowsAbove++;
    return !this.#metMarkId || this.#awaited.has(id);
  }

  /** The row just taken is wanted. */
  takeWanted(): void {
    if (this.stopRule.around === true) this.#below = new Set();
  }

  /** The next page does not follow the one before. */
  beginStretch(isTop: boolean): void {
    this.#rowsAbove = isTop ? Number.POSITIVE_INFINITY : 0;
    this.#below = undefined;
  }

  /** No row follows, or none that counts. */
  endStretch(): void {
    this.#below = undefined;
  }

  /** The wanted rows may go on above what was read, or below. */
  get isOpenAbove(): boolean {
    return this.#below !== undefined && this.#rowsAbove < rowsAround;
  }

  get isOpenBelow(): boolean {
    return this.#below !== undefined && this.#below.size < rowsAround;
  }

  /**
   * Called after each page read in turn. A panel may list a row or two out of order, so only the last row of a whole
   * page proves how far the scan came. `last` is undefined if the list is not newest first: its ids prove nothing
   * then.
   */
  endPage(last: TransactionId | undefined): void {
    this.#hasReadPage = true;
    const id = this.#markId;
    if (this.#metMarkId || (id !== undefined && (last === id || isBelow(last, id)))) this.reachedMark = true;
    for (const missing of this.missing) if (isBelow(last, missing)) this.missing.delete(missing);
  }

  /** The whole list was read. A mark whose ids do not compare is lost if none of them was met: nothing tells what is above it. */
  endList(): void {
    this.#hasReadPage = true;
    this.missing.clear();
    this.endStretch();
    if (this.stopRule.mark !== undefined && this.#markIds === undefined) this.reachedMark = true;
  }

  get reachedStop(): boolean {
    return !this.needsEveryRow && this.missing.size === 0 && !this.isOpenBelow;
  }

  /** True if every row counts, and not only the missing ones. */
  get needsEveryRow(): boolean {
    return !this.#hasReadPage || (this.stopRule.mark !== undefined && !this.reachedMark);
  }

  /** True if ids tell when the scan is deep enough, even if the awaited rows are gone. */
  get idsTellTheEnd(): boolean {
    return (this.reachedMark || this.#markIds === undefined) && [...this.missing].every(isDecimalId);
  }
}

function isBelow(id: TransactionId | undefined, other: TransactionId): boolean {
  return id !== undefined && (compareIds(id, other) ?? 0) < 0;
}
