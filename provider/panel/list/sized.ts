import type { PageRequest } from "../terms/types";
import { stepWith, type Answer, type ListSoFar, type Step, type WalkForm } from "./form";
import { isTooMuchAtOnce } from "./read-page";

/**
 * `/per_page/n` alone gives the newest n rows on every panel. To go on, n is doubled each time, until an answer is
 * shorter than asked for. That is the end of the list, or the most rows that this panel gives at once; pages by their
 * number alone tell which.
 */
export class Sized<Item extends { readonly id: string }> implements WalkForm<Item> {
  readonly isRefusal = isTooMuchAtOnce;
  readonly #list: ListSoFar<Item>;
  #asked: number;

  constructor(list: ListSoFar<Item>) {
    this.#list = list;
    this.#asked = Math.max(list.asked, list.covered);
  }

  ask(): PageRequest | undefined {
    const { shortAt, mostRows, memory } = this.#list;
    if (shortAt !== undefined || this.#asked >= Math.min(mostRows, memory.cap ?? Infinity)) return undefined;
    this.#asked = Math.min(this.#asked * 2, mostRows);
    return { perPage: this.#asked };
  }

  tell(answer: Answer<Item>): Step<Item> {
    if (answer === "refused") return { next: "other form" };
    const { fresh } = this.#list.trail.add(answer.items);
    this.#list.covered = answer.rowCount;
    if (answer.rowCount < this.#asked) this.#list.shortAt = answer.rowCount;
    return stepWith("same form", answer, fresh);
  }
}
