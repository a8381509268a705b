import { compareIds } from "./ids";
import type { TransactionId } from "./types";

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
  readonly #seen = new Set<string>();
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

  /** Takes the answer's rows as given. */
  add(items: readonly Item[]): Meeting<Item> {
    const meeting = this.meet(items);
    for (const { id } of items) this.#seen.add(id);
    this.#head ??= meeting.fresh[0]?.id;
    this.#tail = meeting.fresh.at(-1)?.id ?? this.#tail;
    return meeting;
  }

  #firstFresh(items: readonly Item[]): number {
    const lastSeen = items.findLastIndex(({ id }) => this.#seen.has(id));
    if (lastSeen !== -1) return lastSeen + 1;
    // So many rows came at once that they fill the whole answer; ids that have an order tell.
    return items.length > 0 && items.every(({ id }) => this.#isNewerThanTheWalk(id)) ? items.length : 0;
  }

  #isNewerThanTheWalk(id: string): boolean {
    if (this.#head === undefined) return false;
    return (compareIds(id as TransactionId, this.#head as TransactionId) ?? 0) > 0;
  }
}
