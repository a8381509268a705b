import type { PageRequest } from "../terms/types";
import type { PageForm, ListSoFar, WalkForm } from "./form";
import { Numbered, numberedPage, ten } from "./numbered";
import { NumberedAndSized, numberedAndSizedPage } from "./numbered-and-sized";
import type { PagingMemory } from "./paging-memory";
import { Sized } from "./sized";

/*
 * A list can be asked for in three forms. Two are specified: `/per_page/n` gives the newest n rows, `/page/p` the p-th
 * ten rows. The third, `/page/p/per_page/n`, is not: a panel may take it for anything. Here is the order in
 * which the forms are tried; the file of each tells how it asks, and what an answer means. What panels have shown of them is in
 * `paging-memory.ts`.
 */

/**
 * The forms in which a walk goes on after its first page, best first. Each is tried when the one before leads no further,
 * so what is asked here may have been learnt from that one.
 */
export function* formsToGoOn<Item extends { readonly id: string }>(
  list: ListSoFar<Item>,
): Generator<WalkForm<Item>, void, undefined> {
  if (mayTryBoth(list)) yield new NumberedAndSized(list);
  yield new Sized(list);
  yield new Numbered(list);
}

/** Pages of ten can be had by their number alone. Fewer than three rows, or rows without an id, cannot show where answers meet. */
function mayTryBoth({ memory, asked, first }: ListSoFar<{ readonly id: string }>): boolean {
  return !memory.bothFail && asked !== ten && first.rowCount >= 3 && first.skipped === 0;
}

/** The forms in which one page can be had by itself, best first; else it is cut out of the rows down to its end. */
export function* formsForOnePage({ page, perPage }: Required<PageRequest>, memory: PagingMemory): Generator<PageForm> {
  if (perPage === ten) yield numberedPage;
  if (page > 1 && !memory.bothFail && perPage <= memory.bothUpTo) yield numberedAndSizedPage;
}

/**
 * The most rows a walk asks for at once: up to ten times the rows that were asked for, where the panel gives no second page of
 * them. By tens alone each row further down would cost ten times the requests. Who asks for ten or fewer has reason
 * to, and gets no more. Rows with their logs are large, so fewer of them are asked for at once.
 */
export function mostRowsAtOnce(perPage: number, detailed: boolean | undefined): number {
  if (perPage <= ten) return perPage;
  return Math.max(perPage, Math.min(10 * perPage, detailed === true ? 500 : 5_000));
}
