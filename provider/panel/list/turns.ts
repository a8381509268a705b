import type { DecodedPage } from "../formats/decode";
import type { Page } from "../terms/types";

/**
 * *last*, *repeated*: the list's end. *elsewhere*: the same page twice, and it does not end where the list was read to.
 * *stuck*: too many pages in a row brought nothing.
 */
export type Turn = "go on" | "last" | "repeated" | "elsewhere" | "stuck";

/** Tells from page to page of one form whether there is more. */
export class Turns<Item extends { readonly id: string }> {
  #before: DecodedPage<Item> | undefined;
  #fruitless = 0;
  #fullSize: number;

  constructor(
    size: number,
    /** Answers in a row that may bring nothing, because rows pouring in push pages down. */
    private readonly patience: number,
  ) {
    this.#fullSize = size;
  }

  next(answer: DecodedPage<Item>, freshRows: number, endsAtTail: boolean): Turn {
    const before = this.#before;
    // The panel may give smaller pages than asked for; its first one shows their size.
    if (before === undefined && freshRows > 0) this.#fullSize = answer.rowCount;
    this.#before = answer;
    if (freshRows > 0) {
      this.#fruitless = 0;
      return "go on";
    }
    if (before !== undefined && sameRows(before, answer)) return endsAtTail ? "repeated" : "elsewhere";
    if (endsAtTail && answer.rowCount < this.#fullSize) return "last";
    return ++this.#fruitless < this.patience ? "go on" : "stuck";
  }
}

export function sameRows<Item extends { readonly id: string }>(a: Page<Item>, b: Page<Item>): boolean {
  return a.items.length === b.items.length && a.items.every(({ id }, index) => id === b.items[index]?.id);
}
