import { handedOut } from "../formats/decode";
import { CutShortError } from "../errors";
import type { AnsweredPage } from "../answers/list-answer";
import { noSuchPage, readOrRefusal, ten } from "./read-page";
import { sameRows, Turns } from "./turns";
import type { Page } from "../terms/types";
import type { Walk } from "./walk";

type Answer<Item> = AnsweredPage<Item> | "refused";

/** `/page/p` alone, from where the walk stands to the end of the list. */
export async function* byOwnPages<Item extends { readonly id: string }>(state: Walk<Item>): AsyncGenerator<Page<Item>> {
  const { memory, trail } = state;
  const begun = await begin(state);
  const turns = new Turns<Item>(begun.size, 50);
  let { page, answer } = begun;
  // The form is documented and was answered before, so that refusing a page can only mean that there is none.
  while (answer !== "refused" && answer.rowCount > 0) {
    const { fresh, endsAtTail, meetsHead } = trail.add(answer.items);
    if (fresh.length > 0) {
      if (state.shortAt !== undefined) memory.cap = state.shortAt;
      yield handedOut(answer, fresh);
    }
    const turn = turns.next(answer, fresh.length, endsAtTail);
    if (turn === "last" || turn === "repeated") return;
    if (turn === "stuck") throw cutShort(state);
    if (turn === "elsewhere") {
      // Its last rows were deleted meanwhile, unless it is the list's top that comes again.
      if (meetsHead && (await ignoresNumbers(state, answer))) throw cutShort(state);
      return;
    }
    answer = await ownPage(state, ++page);
  }
}

interface Begun<Item> {
  /** Rows of a full page. */
  readonly size: number;
  /** The first page that holds rows not given yet, if its rows are as many. */
  readonly page: number;
  readonly answer: Answer<Item>;
}

/**
 * These pages hold ten rows by the description, and fewer where the panel caps them lower. A page with fewer is
 * believed to be the list's last one only where that is certain; else the first page tells how many they hold.
 */
async function begin<Item extends { readonly id: string }>(state: Walk<Item>): Promise<Begun<Item>> {
  const { memory, covered, trail } = state;
  const at = async (size: number): Promise<Begun<Item>> => {
    const page = Math.floor(covered / size) + 1;
    return { size, page, answer: await ownPage(state, page) };
  };
  const documented = await at(ten);
  const { page, answer } = documented;
  if (memory.pagesOfTen) return documented;
  if (answer !== "refused") {
    if (answer.rowCount === ten) memory.pagesOfTen = true;
    const endsWhereTensLead =
      page > 1 && (page - 1) * ten + answer.rowCount === covered && trail.meet(answer.items).endsAtTail;
    if (answer.rowCount === 0 || answer.rowCount === ten || endsWhereTensLead) return documented;
  }
  const first = page === 1 ? answer : await ownPage(state, 1);
  if (first === "refused") throw cutShort(state);
  if (first.rowCount === ten) memory.pagesOfTen = true;
  return first.rowCount === ten || first.rowCount === 0 ? documented : at(first.rowCount);
}

function ownPage<Item extends { readonly id: string }>(state: Walk<Item>, page: number): Promise<Answer<Item>> {
  return readOrRefusal(state.read, { page }, noSuchPage);
}

/** Whether the list's top comes for every number; a page past the end alone may be the first one again. */
async function ignoresNumbers<Item extends { readonly id: string }>(
  state: Walk<Item>,
  top: AnsweredPage<Item>,
): Promise<boolean> {
  if (state.covered <= top.rowCount) return false;
  const second = await ownPage(state, 2);
  return second !== "refused" && sameRows(second, top);
}

function cutShort({ first, covered }: Walk<{ readonly id: string }>): CutShortError {
  return new CutShortError(first.asked, covered);
}
