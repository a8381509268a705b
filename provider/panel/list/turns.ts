import type { DecodedPage } from "../formats/decode";
import type { Page } from "../terms/types";
import type { Meaning } from "./form";

/** Tells from page to page of one form what each answer means. */
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

  meaningOf(answer: DecodedPage<Item>, freshRows: number, endsAtTail: boolean): Meaning {
    const before = this.#before;
    // The panel may give smaller pages than asked for; its first one shows their size.
    if (before === undefined && freshRows > 0) this.#fullSize = answer.rowCount;
    this.#before = answer;
    if (freshRows > 0) {
      this.#fruitless = 0;
      return "more";
    }
    if (before !== undefined && sameRows(before, answer)) return endsAtTail ? "end again" : "elsewhere";
    if (endsAtTail && answer.rowCount < this.#fullSize) return "end";
    return ++this.#fruitless < this.patience ? "unclear" : "stuck";
  }
}

export function sameRows<Item extends { readonly id: string }>(a: Page<Item>, b: Page<Item>): boolean {
  return a.items.length === b.items.length && a.items.every(({ id }, index) => id === b.items[index]?.id);
}
