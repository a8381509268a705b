import type { AnsweredPage } from "./answers";
import { toPage } from "./decode";
import { panelError } from "./errors";
import { collectNewest, pageOrNone, type ReadPage, sameRows } from "./list-page";
import { type ListedRow, type Page, rowKey, type TransactionPageRequest } from "./types";

/** The number of rows on a page if only the page's number is requested. */
export const panelPageRows = 10;

/** New rows push the list down, so the walk may read this many pages with nothing new, plus one page for each row of the first request. */
const mostFruitlessPages = 50;

/**
 * Reads a list from its newest row down to its end: the first rows with `/per_page/n`, which is enough if few are wanted, then all pages with `/page/n`. The
 * two forms are documented only separately, and a panel may interpret a combination in any way. The list ends at an empty page. Some panels
 * repeat their last page instead, so the list also ends after two pages in a row without new rows, if the pages are equal or both end with the last row read.
 * If no page contains the last row of the first request, the walk fails, because what it has read would be mistaken for the whole list.
 */
export async function* walk<Item extends ListedRow>(
  read: ReadPage<Item>,
  { perPage }: { readonly perPage: number },
): AsyncGenerator<Page<Item>, void> {
  const first = await read({ perPage });
  const rowsRead = new RowsRead<Item>();
  yield toPage(first, rowsRead.take(first.items));
  // Rows without an id cannot be distinguished, so they are left out, and the page says how many there were.
  if (first.items.length === 0) return;
  let follows = false;
  let before: Page<Item> | undefined;
  for (let page = 1, fruitless = 0; fruitless <= first.rowCount + mostFruitlessPages; page++) {
    let answer: AnsweredPage<Item> | undefined = await pageOrNone(read, { page });
    // One page may fail although the list continues after it.
    if (answer === undefined && (await pageOrNone(read, { page: page + 1 }))?.rowCount) answer = await read({ page });
    if (answer === undefined || answer.rowCount === 0) break;
    follows ||= rowsRead.holdsOldest(answer);
    // Until the last row of the first request has been met, unknown rows are newer than the walk.
    const newRows = follows ? rowsRead.take(answer.items) : [];
    const isRepeated =
      before && (sameRows(before.items, answer.items) || [before, answer].every((one) => rowsRead.isLastOf(one)));
    if (newRows.length > 0) yield toPage(answer, newRows);
    else if (isRepeated) break;
    else fruitless++;
    before = newRows.length > 0 ? undefined : answer;
  }
  if (!follows) throw panelError("cutShort", first.sent, rowsRead.length);
}

/** The items that a walk has returned. The walk shows the list as it was at the beginning: newer rows, which push others down, are left out. */
class RowsRead<Item extends ListedRow> {
  readonly #given = new Set<string>();
  #oldest: string | undefined;

  get length(): number {
    return this.#given.size;
  }

  holdsOldest({ items }: Page<Item>): boolean {
    return items.some((row) => rowKey(row) === this.#oldest);
  }

  isLastOf({ items }: Page<Item>): boolean {
    const last = items.at(-1);
    return last !== undefined && rowKey(last) === this.#oldest;
  }

  take(items: readonly Item[]): readonly Item[] {
    const isGiven = (row: Item): boolean => this.#given.has(rowKey(row));
    // Rows above every row already returned are newer than the walk.
    const newRows = items.slice(Math.max(0, items.findIndex(isGiven))).filter((row) => !isGiven(row));
    for (const row of newRows) this.#given.add(rowKey(row));
    this.#oldest = newRows.map(rowKey).at(-1) ?? this.#oldest;
    return newRows;
  }
}

/** Sends a page number alone, or a page size alone, unchanged. If both are set, cuts the page from the newest rows, which works on every panel. */
export async function requestedPage<Item extends ListedRow>(
  read: ReadPage<Item>,
  request: TransactionPageRequest,
): Promise<Page<Item>> {
  const { page, perPage } = request;
  if (page === undefined || perPage === undefined) {
    const answer = await read(request);
    return toPage(answer, answer.items.slice(0, perPage));
  }
  const end = page * perPage;
  const atOnce = request.detailed === true ? 200 : 1_000;
  const newest = await collectNewest(walk(read, { ...request, perPage: Math.min(end, atOnce) }), end);
  return { ...newest, items: newest.items.slice(end - perPage) };
}
