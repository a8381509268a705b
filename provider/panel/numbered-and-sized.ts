import { type DecodedPage, handedOut } from "./decode";
import {
  type Answer,
  isUnknownPath,
  type ListSoFar,
  type Meaning,
  type Meeting,
  type PageForm,
  readOrRefusal,
  type Step,
  stepWith,
  Turns,
  type WalkForm,
} from "./list-forms";
import type { PageRequest } from "./types";

/*
 * `/page/p/per_page/n`: not specified. A panel may honour both numbers, ignore either, answer with an error, or give
 * fewer rows than asked for; which of these it does shows only in what it gives.
 */

/**
 * The first time, page 2 is asked for of one row fewer than were read: after S rows, `/page/2/per_page/S-1`. A panel
 * that honours both numbers begins its answer with the last row read. That the two answers share this row proves it,
 * and costs no request. From there on pages of one size follow each other without a gap, so the walk just counts.
 * Later walks ask for S rows at once, up to the largest S that was proven.
 */
export class NumberedAndSized<Item extends { readonly id: string }> implements WalkForm<Item> {
  readonly isRefusal = isUnknownPath;
  readonly #list: ListSoFar<Item>;
  readonly #isProven: boolean;
  readonly #size: number;
  readonly #turns: Turns<Item>;
  #page = 2;

  constructor(list: ListSoFar<Item>) {
    const { rowCount } = list.first;
    this.#list = list;
    this.#isProven = rowCount <= list.memory.bothUpTo;
    this.#size = this.#isProven ? rowCount : rowCount - 1;
    this.#turns = new Turns<Item>(this.#size, 6);
  }

  ask(): PageRequest {
    return { page: this.#page, perPage: this.#size };
  }

  tell(answer: Answer<Item>): Step<Item> {
    const { memory, trail } = this.#list;
    const isProof = this.#page++ === 2 && !this.#isProven;
    if (answer === "refused") {
      if (isProof) memory.bothFail = true;
      return { next: "other form" };
    }
    if (isProof) {
      const meaning = meaningOfSecondPage(answer, this.#size, trail.meet(answer.items));
      if (meaning === "end") return { next: "end" };
      if (meaning !== "more") {
        memory.bothFail = meaning === "elsewhere";
        return { next: "other form" };
      }
    }
    if (answer.rowCount === 0) {
      memory.pastTheEnd = "empty";
      return { next: "end" };
    }
    return this.#takeIn(answer);
  }

  #takeIn(answer: DecodedPage<Item>): Step<Item> {
    const { first, memory, trail } = this.#list;
    const { fresh, endsAtTail } = trail.add(answer.items);
    if (fresh.length > 0) {
      if (answer.rowCount === this.#size) memory.bothUpTo = Math.max(memory.bothUpTo, first.rowCount);
      this.#list.covered += fresh.length;
    }
    switch (this.#turns.meaningOf(answer, fresh.length, endsAtTail)) {
      case "more":
      case "unclear":
        return stepWith("same form", answer, fresh);
      case "end again":
        memory.pastTheEnd = "repeats";
        return { next: "end" };
      case "end":
        return { next: "end" };
      case "elsewhere":
      case "stuck":
        memory.bothFail = true;
        return { next: "other form" };
    }
  }
}

/**
 * What page 2 of one row fewer than were read says of this panel. In a short list, a few rows that came in between make
 * an honest answer look like any other, so there it proves nothing against the panel.
 */
function meaningOfSecondPage<Item>(
  answer: DecodedPage<Item>,
  size: number,
  { fresh, meetsHead, meetsTail }: Meeting<Item>,
): Meaning {
  if (answer.rowCount === 0 || answer.rowCount > size) return "elsewhere";
  if (!meetsTail || meetsHead) return size >= 20 ? "elsewhere" : "unclear";
  if (fresh.length > 0) return "more";
  return answer.rowCount === 1 ? "end" : "unclear";
}

/** Of a panel that was seen to honour both numbers. */
export const numberedAndSizedPage: PageForm = async (read, { page, perPage }, memory) => {
  const answer = await readOrRefusal(read, { page, perPage }, isUnknownPath);
  if (answer === "refused") return undefined;
  if (answer.rowCount === 0) memory.pastTheEnd = "empty";
  if (memory.pastTheEnd === "empty") return handedOut(answer, answer.items);
  // A page past the end may be the last one again. The page before tells: read later, it can only have moved away.
  const before = await readOrRefusal(read, { page: page - 1, perPage }, isUnknownPath);
  if (before === "refused") return undefined;
  const known = new Set(before.items.map(({ id }) => id));
  return handedOut(answer, answer.items.some(({ id }) => known.has(id)) ? [] : answer.items);
};
