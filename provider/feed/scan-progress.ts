import { compareIds, isDecimalId, type Transaction, type TransactionId } from "../panel/types";
import type { StopRule } from "./types";

/** One watch's way down the list in one walk: which rows it may be shown, and whether it has seen enough. */
export class ScanProgress {
  readonly stopRule: StopRule;
  /** The mark's page, where its ids do not compare; undefined where they do, or there is no mark of this kind. */
  readonly #markIds: ReadonlySet<TransactionId> | undefined;
  readonly #awaited: ReadonlySet<TransactionId>;
  readonly #missing: Set<TransactionId>;
  #metMarkId = false;
  #reachedMark = false;
  #pages = 0;

  constructor(stopRule: StopRule) {
    this.stopRule = stopRule;
    const { markPageIds: aboveIds = [], awaitedIds: ids = [] } = stopRule;
    if (aboveIds.length > 0) this.#markIds = new Set(aboveIds);
    this.#awaited = new Set(ids);
    this.#missing = new Set(ids);
  }

  /** Takes a row of the walk; true where the watch may be shown it. */
  takeRow({ id }: Transaction): boolean {
    if (this.#markIds?.has(id) === true) this.#metMarkId = true;
    this.#missing.delete(id);
    return !this.#metMarkId || this.#awaited.has(id);
  }

  /**
   * To be called after each page that follows the ones before it: a panel may list a row or two out of order, so what tells that enough was seen is
   * the last row of a whole page. `last` is left out where the list is not newest first, and nothing follows from its ids.
   */
  endPage(last: TransactionId | undefined): void {
    this.#pages++;
    const { markId } = this.stopRule;
    if (this.#metMarkId || (markId !== undefined && isAtOrBelow(last, markId))) this.#reachedMark = true;
    for (const id of this.#missing) if (isBelow(last, id)) this.#missing.delete(id);
  }

  /** All there is has been read. A mark whose ids do not compare is lost where none of them was met: nothing tells what is above it. */
  endList(): void {
    this.#pages++;
    this.#missing.clear();
    const { markId, markIsEmptyList: aboveNothing } = this.stopRule;
    if (aboveNothing === true || markId !== undefined) this.#reachedMark = true;
  }

  /** The panel does not list this row. */
  setNotListed(id: TransactionId): void {
    this.#missing.delete(id);
  }

  get reachedMark(): boolean {
    return this.#reachedMark;
  }

  get reachedStop(): boolean {
    if (this.#pages === 0) return false;
    switch (this.stopRule.stopAt) {
      case "one page":
        return true;
      case "ids":
        return this.#missing.size === 0;
      case "mark":
        return this.#reachedMark && this.#missing.size === 0;
    }
  }

  /** Whether each row has to be seen, or only those that are missing. */
  get needsEveryRow(): boolean {
    return this.#pages === 0 || (this.stopRule.stopAt === "mark" && !this.#reachedMark);
  }

  /** Awaited rows that no page has shown yet. */
  get missing(): ReadonlySet<TransactionId> {
    return this.#missing;
  }

  /** Whether ids tell when it has gone down far enough, even where the rows it looks for are gone. */
  get idsTellTheEnd(): boolean {
    const isMarkTold = this.stopRule.stopAt !== "mark" || this.#reachedMark || this.#markIds === undefined;
    return isMarkTold && [...this.#missing].every(isDecimalId);
  }
}

function isBelow(id: TransactionId | undefined, other: TransactionId): boolean {
  return id !== undefined && (compareIds(id, other) ?? 0) < 0;
}

function isAtOrBelow(id: TransactionId | undefined, other: TransactionId): boolean {
  return id === other || isBelow(id, other);
}
