import { compareIds, type Transaction, type TransactionId } from "../panel/types";
import type { Floor } from "./watching";

/** A chain's rows are made at once: this many rows below the lowest one known hold the others. */
const aroundRows = 10;

const nothing: ReadonlySet<TransactionId> = new Set();

/** One watch's way down the list in one walk: which rows still concern it, and whether it has seen enough. */
export class Descent {
  readonly #floor: Floor;
  readonly #markIds: ReadonlySet<TransactionId>;
  readonly #awaited: ReadonlySet<TransactionId>;
  readonly #missing: Set<TransactionId>;
  readonly #oldestAwaited: TransactionId | undefined;
  readonly #seenBefore: TransactionId | undefined;
  readonly #settled: TransactionId | undefined;
  /** Rows still to be shown below the awaited one that was met last. */
  #toShowBelow = 0;
  #lastMet: TransactionId | undefined;
  #metMark = false;
  #pageIsAbove = false;
  #lastRow: TransactionId | undefined;
  #lastHasChanged = false;
  #pages = 0;

  /**
   * Earlier walks have shown the watch every row from `seenBefore` down, so that there only the rows it awaits matter. From `settled`
   * down the rows are so old, besides, that none is listed late among them any more: a walk that has come that far need not go
   * on to the mark.
   */
  constructor(floor: Floor, seenBefore?: TransactionId, settled?: TransactionId) {
    this.#floor = floor;
    this.#seenBefore = seenBefore;
    this.#settled = settled;
    this.#markIds = new Set(floor.above === undefined ? floor.aboveIds : [floor.above, ...(floor.aboveIds ?? [])]);
    this.#awaited = new Set(floor.ids);
    this.#missing = new Set(floor.ids);
    this.#oldestAwaited = oldest(this.#awaited);
  }

  /** Spares the comparison of each row: a page whose last row is above the floor is above it as a whole. */
  startPage(last: TransactionId | undefined): void {
    const floor = this.#hasMark ? this.#floor.above : this.#oldestAwaited;
    this.#pageIsAbove = last !== undefined && floor !== undefined && (compareIds(last, floor) ?? 0) > 0;
  }

  /** Takes the next row of the walk; true when it lies above or at the floor. */
  meet(row: Transaction): boolean {
    this.#lastRow = row.id;
    this.#lastHasChanged = this.#hasChanged(row);
    if (this.#markIds.has(row.id)) this.#metMark = true;
    if (this.#awaited.has(row.id)) {
      if (this.#missing.delete(row.id) && this.#looksAround) {
        this.#toShowBelow = aroundRows;
        this.#lastMet = row.id;
      }
      return true;
    }
    if (this.#toShowBelow > 0) {
      this.#toShowBelow--;
      return true;
    }
    if (this.#pageIsAbove) return true;
    if (this.#hasMark) return this.#lastHasChanged || this.#isAboveMark(row.id);
    if (this.#awaited.size === 0) return true;
    const order = this.#oldestAwaited === undefined ? undefined : compareIds(row.id, this.#oldestAwaited);
    return order === undefined ? this.#missing.size > 0 : order > 0;
  }

  /** To be called after each page. Whether enough was seen is decided on whole pages, because a panel may list a row or two out of order. */
  endPage(): void {
    this.#pages++;
  }

  get reached(): boolean {
    if (this.#pages === 0) return false;
    if (this.#awaited.size === 0) return !this.#hasMark || this.#isDownToMark();
    if (this.#toShowBelow > 0) return false;
    return this.#missing.size === 0 || (this.#hasMark && this.#metMark && !this.#comparable) || this.#isPastAwaited();
  }

  /**
   * The walk did not meet the mark, on a panel whose ids have no order: nothing tells which rows are above the mark.
   * To be asked when the list has ended.
   */
  get lostItsMark(): boolean {
    if (this.#markIds.size === 0 || this.#metMark || this.#lastRow === undefined) return false;
    const { above } = this.#floor;
    return above === undefined || compareIds(this.#lastRow, above) === undefined;
  }

  /** The panel does not list this row, so the walk need not go on for it. */
  lacks(id: TransactionId): void {
    this.#missing.delete(id);
  }

  /** These rows were shown with all there is around them. */
  seenAround(ids: readonly TransactionId[]): void {
    if (ids.some((id) => id === this.#lastMet)) this.#toShowBelow = 0;
  }

  /** Awaited ids that are to be shown with the rows around them. */
  get around(): ReadonlySet<TransactionId> {
    return this.#looksAround ? this.#awaited : nothing;
  }

  /** Awaited ids that no page has shown yet. */
  get missing(): ReadonlySet<TransactionId> {
    return this.#missing;
  }

  /** Whether the next row has to be seen as well, or only the rows that are still missing. */
  get needsEveryRow(): boolean {
    if (this.#awaited.size === 0 || this.#lastRow === undefined) return true;
    if (this.#hasMark && !this.#isDownToMark()) return true;
    if (this.#toShowBelow > 0) return true;
    // A watch for rows that an earlier run has found needs nothing else but the rows of their chains, which lie around them.
    if (this.#seenBefore === undefined) return !this.#comparable;
    return (compareIds(this.#lastRow, this.#seenBefore) ?? 1) > 0;
  }

  /** Ids tell when it has gone down far enough, even where the rows it looks for are gone. */
  get endsByOrder(): boolean {
    const marked = !this.#hasMark || (this.#floor.above !== undefined && isComparable(this.#floor.above));
    return marked && (this.#awaited.size === 0 || this.#comparable);
  }

  get #looksAround(): boolean {
    return this.#floor.around === true && !this.#hasMark;
  }

  get #hasMark(): boolean {
    return this.#markIds.size > 0 || this.#floor.aboveNothing === true;
  }

  /** Whether the awaited ids can be compared with the rows of this panel. */
  get #comparable(): boolean {
    return this.#oldestAwaited !== undefined;
  }

  #isAboveMark(id: TransactionId): boolean {
    if (this.#markIds.has(id)) return false;
    const order = this.#floor.above === undefined ? undefined : compareIds(id, this.#floor.above);
    return order === undefined ? !this.#metMark : order > 0;
  }

  #hasChanged({ updatedAt = "" }: Transaction): boolean {
    const { changedSince } = this.#floor;
    return changedSince !== undefined && Date.parse(updatedAt) >= changedSince;
  }

  #isDownToMark(): boolean {
    if (this.#lastHasChanged) return false;
    if (this.#metMark) return true;
    const { above } = this.#floor;
    if (this.#lastRow === undefined) return false;
    if (this.#settled !== undefined && (compareIds(this.#lastRow, this.#settled) ?? 1) <= 0) return true;
    return above !== undefined && leavesNoRowAbove(this.#lastRow, above);
  }

  #isPastAwaited(): boolean {
    if (this.#hasMark && !this.#isDownToMark()) return false;
    const lowest = oldest(this.#missing);
    if (lowest === undefined || this.#lastRow === undefined) return false;
    return (compareIds(this.#lastRow, lowest) ?? 1) < 0;
  }
}

/** The lowest of `ids`; undefined when there are none, or when one of them does not compare. */
function oldest(ids: Iterable<TransactionId>): TransactionId | undefined {
  let lowest: TransactionId | undefined;
  for (const id of ids) {
    if (!isComparable(id)) return undefined;
    if (lowest === undefined || (compareIds(id, lowest) ?? 0) < 0) lowest = id;
  }
  return lowest;
}

function isComparable(id: TransactionId): boolean {
  return compareIds(id, "0" as TransactionId) !== undefined;
}

/**
 * Whether no row above the mark can lie below `last`. The row right above the mark settles it too, which saves
 * a page whenever the rows above the mark fill their pages exactly.
 */
function leavesNoRowAbove(last: TransactionId, mark: TransactionId): boolean {
  const order = compareIds(last, mark);
  if (order === undefined) return false;
  return order <= 0 || BigInt(last) - BigInt(mark) === 1n;
}
