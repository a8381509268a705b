import type { AnsweredPage } from "./answers";
import { handedOut } from "./decode";
import { saysNoSuchPage } from "./errors";
import {
  type Answer,
  isUnknownPath,
  type ListSoFar,
  type PageForm,
  readOrRefusal,
  sameRows,
  type Step,
  stepWith,
  Turns,
  type WalkForm,
} from "./list-forms";
import type { PageRequest } from "./types";

/*
 * `/page/p` alone: ten rows by the description, fewer where the panel caps its pages lower.
 */
export const ten = 10;

/** What the answer that is awaited is for. */
type Asking<Item extends { readonly id: string }> =
  /** The page that comes next if pages hold ten rows. */
  | { readonly kind: "page of ten"; readonly page: number }
  /** How many rows a page holds; `then` is the answer to the page of ten before. */
  | { readonly kind: "page size"; readonly then: Answer<Item>; readonly page: number }
  | { readonly kind: "page"; readonly page: number; readonly turns: Turns<Item> }
  /** The first page came again for a later number: whether it comes for every number. */
  | { readonly kind: "another page"; readonly top: AnsweredPage<Item> };

/** From where the walk stands to the end of the list. */
export class Numbered<Item extends { readonly id: string }> implements WalkForm<Item> {
  // The form is documented, so that refusing a page can only mean that there is none.
  readonly isRefusal = saysNoSuchPage;
  readonly #list: ListSoFar<Item>;
  #asking: Asking<Item>;

  constructor(list: ListSoFar<Item>) {
    this.#list = list;
    this.#asking = { kind: "page of ten", page: this.#pageAfter(ten) };
  }

  ask(): PageRequest {
    switch (this.#asking.kind) {
      case "page of ten":
      case "page":
        return { page: this.#asking.page };
      case "page size":
        return { page: 1 };
      case "another page":
        return { page: 2 };
    }
  }

  tell(answer: Answer<Item>): Step<Item> {
    const asking = this.#asking;
    switch (asking.kind) {
      case "page of ten":
        return this.#tellPageOfTen(answer, asking.page);
      case "page size":
        return this.#tellPageSize(answer, asking);
      case "page":
        return this.#tellPage(answer, asking);
      case "another page":
        return { next: answer !== "refused" && sameRows(answer, asking.top) ? "no way on" : "end" };
    }
  }

  /** The first page with rows that were not read yet, if pages hold so many. */
  #pageAfter(size: number): number {
    return Math.floor(this.#list.covered / size) + 1;
  }

  /** A page with fewer rows is the list's last one only where that is certain; else the first page tells how many rows pages hold. */
  #tellPageOfTen(answer: Answer<Item>, page: number): Step<Item> {
    const { memory } = this.#list;
    if (answer !== "refused" && answer.rowCount === ten) memory.pagesOfTen = true;
    if (memory.pagesOfTen || this.#isEndInTens(answer, page)) return this.#begin(answer, page, ten);
    const asking = { kind: "page size", then: answer, page } as const;
    if (page === 1) return this.#tellPageSize(answer, asking);
    this.#asking = asking;
    return { next: "same form" };
  }

  #isEndInTens(answer: Answer<Item>, page: number): boolean {
    if (answer === "refused") return false;
    if (answer.rowCount === 0) return true;
    const rowsToItsEnd = (page - 1) * ten + answer.rowCount;
    return page > 1 && rowsToItsEnd === this.#list.covered && this.#list.trail.meet(answer.items).endsAtTail;
  }

  #tellPageSize(first: Answer<Item>, { then, page }: Asking<Item> & { readonly kind: "page size" }): Step<Item> {
    if (first === "refused") return { next: "no way on" };
    if (first.rowCount === ten) this.#list.memory.pagesOfTen = true;
    if (first.rowCount === ten || first.rowCount === 0) return this.#begin(then, page, ten);
    this.#asking = { kind: "page", page: this.#pageAfter(first.rowCount), turns: new Turns(first.rowCount, patience) };
    return { next: "same form" };
  }

  #begin(answer: Answer<Item>, page: number, size: number): Step<Item> {
    return this.#tellPage(answer, { kind: "page", page, turns: new Turns(size, patience) });
  }

  #tellPage(answer: Answer<Item>, { page, turns }: Asking<Item> & { readonly kind: "page" }): Step<Item> {
    if (answer === "refused" || answer.rowCount === 0) return { next: "end" };
    const { memory, trail, shortAt, covered } = this.#list;
    const { fresh, endsAtTail, meetsHead } = trail.add(answer.items);
    if (fresh.length > 0 && shortAt !== undefined) memory.cap = shortAt;
    this.#asking = { kind: "page", page: page + 1, turns };
    switch (turns.meaningOf(answer, fresh.length, endsAtTail)) {
      case "more":
      case "unclear":
        return stepWith("same form", answer, fresh);
      case "end":
      case "end again":
        return { next: "end" };
      case "stuck":
        return { next: "no way on" };
      case "elsewhere":
        // Either the list's last rows were deleted meanwhile, or the panel gives its first page for every number.
        if (!meetsHead || covered <= answer.rowCount) return { next: "end" };
        this.#asking = { kind: "another page", top: answer };
        return { next: "same form" };
    }
  }
}

/** Many, because ten rows are soon pushed down by new ones, and there is no other form left. */
const patience = 50;

/** A page of ten. A short one is the list's last, or one of a panel that caps its pages below ten: its first page tells. */
export const numberedPage: PageForm = async (read, { page }, memory) => {
  const answer = await read({ page });
  if (answer.rowCount < ten && !memory.pagesOfTen) {
    const first = page === 1 ? answer : await readOrRefusal(read, { page: 1 }, isUnknownPath);
    memory.pagesOfTen = first !== "refused" && first.rowCount === ten;
    if (!memory.pagesOfTen) return undefined;
  }
  return handedOut(answer, answer.items.slice(0, ten));
};
