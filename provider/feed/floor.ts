import { compareIds, isDecimalId, type Transaction, type TransactionId } from "../panel/types";
import type { Floor } from "./watching";

/** One watch's way down the list in one walk: which rows it may be shown, and whether it has seen enough. */
export class Descent {
  readonly #floor: Floor;
  /** The mark's page, where its ids do not compare; undefined where they do, or there is no mark of this kind. */
  readonly #markIds: ReadonlySet<TransactionId> | undefined;
  readonly #awaited: ReadonlySet<TransactionId>;
  readonly #missing: Set<TransactionId>;
  #metMarkId = false;
  #reachedMark = false;
  #pages = 0;

  constructor(floor: Floor) {
    this.#floor = floor;
    const { aboveIds = [], ids = [] } = floor;
    if (aboveIds.length > 0) this.#markIds = new Set(aboveIds);
    this.#awaited = new Set(ids);
    this.#missing = new Set(ids);
  }

  /** Takes a row of the walk; true where the watch may be shown it. */
  meet({ id }: Transaction): boolean {
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
    const { above } = this.#floor;
    if (this.#metMarkId || (above !== undefined && isAtOrBelow(last, above))) this.#reachedMark = true;
    for (const id of this.#missing) if (isBelow(last, id)) this.#missing.delete(id);
  }

  /** All there is has been read. A mark whose ids do not compare is lost where none of them was met: nothing tells what is above it. */
  endList(): void {
    this.#pages++;
    this.#missing.clear();
    const { above, aboveNothing } = this.#floor;
    if (aboveNothing === true || above !== undefined) this.#reachedMark = true;
  }

  /** The panel does not list this row. */
  lacks(id: TransactionId): void {
    this.#missing.delete(id);
  }

  get reachedMark(): boolean {
    return this.#reachedMark;
  }

  get reachedFloor(): boolean {
    if (this.#pages === 0) return false;
    switch (this.#floor.needs) {
      case "one page":
        return true;
      case "ids":
        return this.#missing.size === 0;
      case "mark":
        return this.#reachedMark;
    }
  }

  /** Whether each row has to be seen, or only those that are missing. */
  get needsEveryRow(): boolean {
    return this.#pages === 0 || this.#floor.needs === "mark";
  }

  /** Awaited rows that no page has shown yet. */
  get missing(): ReadonlySet<TransactionId> {
    return this.#missing;
  }

  /** Whether ids tell when it has gone down far enough, even where the rows it looks for are gone. */
  get endsByOrder(): boolean {
    if (this.#floor.needs === "ids") return [...this.#missing].every(isDecimalId);
    return this.#markIds === undefined;
  }
}

function isBelow(id: TransactionId | undefined, other: TransactionId): boolean {
  return id !== undefined && (compareIds(id, other) ?? 0) < 0;
}

function isAtOrBelow(id: TransactionId | undefined, other: TransactionId): boolean {
  return id === other || isBelow(id, other);
}
