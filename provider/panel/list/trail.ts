import { compareIds } from "../terms/ids";
import type { TransactionId } from "../terms/types";

/** How an answer meets what a walk has already given. */
export interface Meeting<Item> {
  /** Rows older than everything given so far, newest first. */
  readonly fresh: readonly Item[];
  /** The answer's last row is the oldest one given so far. */
  readonly endsAtTail: boolean;
  /** Holds the oldest row given so far. */
  readonly meetsTail: boolean;
  /** Holds the newest row of the walk. */
  readonly meetsHead: boolean;
}

/**
 * The rows a walk has given, from its newest (the head) to the oldest so far (the tail). A walk shows the list as
 * it stood when the walk began: rows that came since push others down, so an answer may begin with rows already
 * given, and rows never seen that stand above one already given are newer than the walk and are left out.
 */
export class Trail<Item extends { readonly id: string }> {
  readonly #given = new Set<string>();
  readonly #newer = new Set<string>();
  #head: string | undefined;
  #tail: string | undefined;

  /** Looks, and changes nothing. */
  meet(items: readonly Item[]): Meeting<Item> {
    const [head, tail] = [this.#head, this.#tail];
    return {
      fresh: items.slice(this.#firstFresh(items)),
      endsAtTail: tail !== undefined && items.at(-1)?.id === tail,
      meetsTail: items.some(({ id }) => id === tail),
      meetsHead: items.some(({ id }) => id === head),
    };
  }

  /** Takes the answer's fresh rows as given. */
  add(items: readonly Item[]): Meeting<Item> {
    const meeting = this.meet(items);
    for (const { id } of meeting.fresh) this.#given.add(id);
    for (const { id } of items) if (!this.#given.has(id)) this.#newer.add(id);
    this.#head ??= meeting.fresh[0]?.id;
    this.#tail = meeting.fresh.at(-1)?.id ?? this.#tail;
    return meeting;
  }

  #firstFresh(items: readonly Item[]): number {
    const lastGiven = items.findLastIndex(({ id }) => this.#given.has(id));
    if (lastGiven !== -1) return lastGiven + 1;
    return this.#areAllNewer(items) ? items.length : 0;
  }

  /** Whether so many rows came in at once that they fill the whole answer. One row already known to be newer tells, or ids that have an order. */
  #areAllNewer(items: readonly Item[]): boolean {
    const head = this.#head;
    if (head === undefined) return false;
    if (items.some(({ id }) => this.#newer.has(id))) return true;
    return items.every(({ id }) => (compareIds(id as TransactionId, head as TransactionId) ?? 0) > 0);
  }
}
