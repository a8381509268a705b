import { handedOut, type DecodedPage } from "../formats/decode";
import type { AnsweredPage } from "../answers/list-answer";
import { byOwnPages } from "./own-pages";
import type { PagingMemory } from "./paging-memory";
import { readOrRefusal, ten, tooMuchAtOnce, type ReadPage } from "./read-page";
import { Trail, type Meeting } from "./trail";
import { Turns } from "./turns";
import type { Page } from "../terms/types";

/*
 * How a list is read to any depth, on a panel of which only this is known: `/page/p` alone gives the p-th ten rows,
 * `/per_page/n` alone gives the newest n. What the two do together is not specified: a panel may honour both,
 * ignore either, answer 404, or give fewer rows than asked for; and a page after the last one may be empty or
 * be the last one again. So:
 *
 * 1. A walk begins with `/per_page/n` alone, which means the same everywhere: reading one page costs one request.
 * 2. The first time a walk goes on, it asks for page 2 of *one row fewer* than it holds (S rows, so `/page/2/
 *    per_page/S-1`). A panel that honours both answers with the last row given, then new ones: that the two
 *    answers meet is the proof, and costs no request. Anything else (an error, more rows than asked for, no
 *    meeting, the top of the list again) is discarded, and what it tells is remembered.
 * 3. Pages of one size follow each other without a gap, however large the panel makes them, so from page 2 on
 *    the walk just counts. Once honouring was proven, later walks skip the overlap, up to the size proven.
 * 4. Where the two together do not work, `/per_page/` alone is asked for twice as many rows each time, up to ten times
 *    the size asked for, or until an answer is shorter than asked for: the list's end, or the panel's cap.
 * 5. Which of the two it was, `/page/p` alone tells, and goes on from there, by tens or by the cap where that is less.
 *
 * The end of the list is an empty answer, or one that adds nothing and cannot have been shifted there by new rows:
 * the same rows twice in a row, or a page that is not full and ends with the last row given. A short page alone
 * is never the end. Where a panel gives no way to go on, the walk fails: what it has given would pass for the whole.
 */

export interface Walk<Item extends { readonly id: string }> {
  readonly read: ReadPage<Item>;
  readonly memory: PagingMemory;
  readonly trail: Trail<Item>;
  /** The first answer, and how many rows it was asked for. */
  readonly first: AnsweredPage<Item>;
  readonly asked: number;
  /** No request asks for more rows than this. */
  readonly mostRows: number;
  /** Rows from the top of the list that have been read. */
  covered: number;
  /** How many rows `/per_page/n` gave when it gave fewer than asked for: all there are, or all it ever gives. */
  shortAt: number | undefined;
}

type Steps<Item> = AsyncGenerator<Page<Item>, "end" | "another way">;

export async function* walk<Item extends { readonly id: string }>(
  read: ReadPage<Item>,
  { perPage, detailed }: { readonly perPage: number; readonly detailed?: boolean },
  memory: PagingMemory,
): AsyncGenerator<Page<Item>> {
  const first = await read({ perPage });
  const trail = new Trail<Item>();
  trail.add(first.items);
  yield handedOut(first, first.items);
  if (first.rowCount === 0) return;
  const state: Walk<Item> = {
    read,
    memory,
    trail,
    first,
    asked: perPage,
    mostRows: mostRows(perPage, detailed),
    covered: first.rowCount,
    shortAt: first.rowCount < perPage ? first.rowCount : undefined,
  };
  if ((yield* byCombinedPages(state)) === "end") return;
  yield* byGrowingPages(state);
  yield* byOwnPages(state);
}

/**
 * Up to ten times the rows that were asked for, where the panel gives no second page of them: by tens alone, each row
 * further down would cost ten times the requests. Who asks for ten or fewer has reason to, and gets no more. Rows with
 * their logs are large: fewer of them are asked for at once.
 */
function mostRows(perPage: number, detailed: boolean | undefined): number {
  if (perPage <= ten) return perPage;
  return Math.max(perPage, Math.min(10 * perPage, detailed === true ? 500 : 5_000));
}

/** `/page/p/per_page/n`, for as long as it works (rules 2 and 3). */
async function* byCombinedPages<Item extends { readonly id: string }>(state: Walk<Item>): Steps<Item> {
  const { first, memory, trail } = state;
  // Pages of ten have a number of their own. Rows without an id would blur where answers meet.
  if (memory.combinedFails || state.asked === ten || first.rowCount < 3 || first.skipped > 0) return "another way";
  const proven = first.rowCount <= memory.combinedUpTo;
  const size = proven ? first.rowCount : first.rowCount - 1;
  const turns = new Turns<Item>(size, 6);
  for (let page = 2; ; page++) {
    const answer = await readOrRefusal(state.read, { page, perPage: size });
    if (answer === "refused") {
      if (page === 2 && !proven) memory.combinedFails = true;
      return "another way";
    }
    if (page === 2 && !proven) {
      const verdict = judgeSecondPage(answer, size, trail.meet(answer.items));
      if (verdict === "end") return "end";
      if (verdict !== "page two") {
        memory.combinedFails = verdict === "something else";
        return "another way";
      }
    }
    if (answer.rowCount === 0) {
      memory.pastTheEnd = "empty";
      return "end";
    }
    const { fresh, endsAtTail } = trail.add(answer.items);
    if (fresh.length > 0) {
      if (answer.rowCount === size) memory.combinedUpTo = Math.max(memory.combinedUpTo, first.rowCount);
      state.covered += fresh.length;
      yield handedOut(answer, fresh);
    }
    const turn = turns.next(answer, fresh.length, endsAtTail);
    if (turn === "repeated") memory.pastTheEnd = "repeats";
    if (turn === "repeated" || turn === "last") return "end";
    if (turn !== "go on") {
      memory.combinedFails = true;
      return "another way";
    }
  }
}

/**
 * What the answer to page 2 of one row fewer than were read says of this panel. With few rows, new ones that came
 * in between can make an honest answer look like any other, so those prove nothing against the panel.
 */
function judgeSecondPage<Item>(
  answer: DecodedPage<Item>,
  size: number,
  meeting: Meeting<Item>,
): "page two" | "end" | "something else" | "undecided" {
  if (answer.rowCount === 0 || answer.rowCount > size) return "something else";
  if (!meeting.meetsTail || meeting.meetsHead) return size >= 20 ? "something else" : "undecided";
  if (meeting.fresh.length > 0) return "page two";
  return answer.rowCount === 1 ? "end" : "undecided";
}

/** `/per_page/n` alone, with n doubled each time (rule 4). */
async function* byGrowingPages<Item extends { readonly id: string }>(state: Walk<Item>): AsyncGenerator<Page<Item>> {
  const { memory, trail } = state;
  let asked = Math.max(state.asked, state.covered);
  while (state.shortAt === undefined && asked < Math.min(state.mostRows, memory.cap ?? Infinity)) {
    asked = Math.min(asked * 2, state.mostRows);
    const answer = await readOrRefusal(state.read, { perPage: asked }, tooMuchAtOnce);
    if (answer === "refused") return;
    const { fresh } = trail.add(answer.items);
    state.covered = answer.rowCount;
    if (answer.rowCount < asked) state.shortAt = answer.rowCount;
    if (fresh.length > 0) yield handedOut(answer, fresh);
  }
}
