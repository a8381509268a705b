import { handedOut } from "./decode";
import { CutShortError } from "./errors";
import {
  type ListSoFar,
  type PageForm,
  type PagingMemory,
  readOrRefusal,
  type ReadPage,
  Sized,
  Trail,
  type WalkForm,
} from "./list-forms";
import { Numbered, numberedPage, ten } from "./numbered";
import { NumberedAndSized, numberedAndSizedPage } from "./numbered-and-sized";
import type { Page, PageRequest, TransactionPageRequest } from "./types";

/**
 * Reads a list from its newest row down to its end. The first request is `/per_page/n`, which means the same on every
 * panel, so one page costs one request; for more, one form after the other is tried.
 *
 * An answer with few rows is not the list's end: a panel may give fewer than were asked for. Where no form leads on,
 * the walk fails, because what it has given would pass for the whole list.
 */
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
  const list: ListSoFar<Item> = {
    memory,
    trail,
    first,
    asked: perPage,
    mostRows: mostRowsAtOnce(perPage, detailed),
    covered: first.rowCount,
    shortAt: first.rowCount < perPage ? first.rowCount : undefined,
  };
  for (const form of formsToGoOn(list)) {
    const ending = yield* goOn(form, read);
    if (ending === "end") return;
    if (ending === "no way on") break;
  }
  // Only an answer that shows the end of the list ends a walk well, not that the forms have run out.
  throw new CutShortError(first.asked, list.covered);
}

/** As far down as one form leads. */
async function* goOn<Item>(
  form: WalkForm<Item>,
  read: ReadPage<Item>,
): AsyncGenerator<Page<Item>, "end" | "other form" | "no way on"> {
  for (let request = form.ask(); request !== undefined; request = form.ask()) {
    const { next, page } = form.tell(await readOrRefusal(read, request, form.isRefusal));
    if (page !== undefined) yield page;
    if (next !== "same form") return next;
  }
  return "other form";
}

/**
 * One page as a user asked for it. A page number or a page size alone is documented and goes out as it is. With both,
 * the page is asked for by itself where an answer can show that it is that page, and else cut out of the newest rows
 * down to its end, which is right whatever a panel makes of the two.
 */
export async function pageOf<Item extends { readonly id: string }>(
  read: ReadPage<Item>,
  request: TransactionPageRequest,
  memory: PagingMemory,
): Promise<Page<Item>> {
  const { page, perPage } = request;
  if (page === undefined || perPage === undefined) return asItIs(read, request);
  for (const form of formsForOnePage({ page, perPage }, memory)) {
    const found = await form(read, { page, perPage }, memory);
    if (found !== undefined) return found;
  }
  const end = page * perPage;
  const atOnce = request.detailed === true ? 200 : 1_000;
  const down = walk(read, { ...request, perPage: end <= atOnce ? end : perPage }, memory);
  const newest = await collectNewest(down, end);
  return { ...newest, items: newest.items.slice(end - perPage) };
}

async function asItIs<Item>(read: ReadPage<Item>, request: PageRequest): Promise<Page<Item>> {
  const answer = await read(request);
  return handedOut(answer, answer.items.slice(0, request.perPage));
}

/** Exactly the newest `limit` items of a walk, or all there are; asks for no page more than that takes. */
export async function collectNewest<Item>(walk: AsyncIterable<Page<Item>>, limit: number): Promise<Page<Item>> {
  const items: Item[] = [];
  let skipped = 0;
  let panelTime: number | undefined;
  if (limit > 0) {
    for await (const page of walk) {
      items.push(...page.items);
      skipped += page.skipped;
      panelTime ??= page.panelTime;
      if (items.length >= limit) break;
    }
  }
  return { items: items.slice(0, limit), skipped, ...(panelTime === undefined ? {} : { panelTime }) };
}

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
function* formsToGoOn<Item extends { readonly id: string }>(
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
function* formsForOnePage({ page, perPage }: Required<PageRequest>, memory: PagingMemory): Generator<PageForm> {
  if (perPage === ten) yield numberedPage;
  if (page > 1 && !memory.bothFail && perPage <= memory.bothUpTo) yield numberedAndSizedPage;
}

/**
 * The most rows a walk asks for at once: up to ten times the rows that were asked for, where the panel gives no second page of
 * them. By tens alone each row further down would cost ten times the requests. Who asks for ten or fewer has reason
 * to, and gets no more. Rows with their logs are large, so fewer of them are asked for at once.
 */
function mostRowsAtOnce(perPage: number, detailed: boolean | undefined): number {
  if (perPage <= ten) return perPage;
  return Math.max(perPage, Math.min(10 * perPage, detailed === true ? 500 : 5_000));
}
