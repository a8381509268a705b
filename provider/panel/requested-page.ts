import { toPage } from "./decode";
import type { ReadPage } from "./list-page";
import type { ListedRow, Page, TransactionPageRequest } from "./types";
import { type PagingMemory, panelPageRows, walk } from "./walk";

/**
 * Reads one page as a user asked for it. A page number alone and a page size alone are documented, and go out as they
 * are. For both together, the page is cut from the newest rows down to its end, which is right on every panel. A full
 * page of ten is the panel's own page.
 */
export async function requestedPage<Item extends ListedRow>(
  read: ReadPage<Item>,
  request: TransactionPageRequest,
  memory: PagingMemory,
): Promise<Page<Item>> {
  const { page, perPage } = request;
  if (page === undefined || perPage === undefined) {
    const answer = await read(request);
    return toPage(answer, answer.items.slice(0, perPage));
  }
  if (perPage === panelPageRows) {
    const answer = await read({ page });
    if (answer.rowCount === panelPageRows) return toPage(answer, answer.items);
  }
  const end = page * perPage;
  const atOnce = request.detailed === true ? 200 : 1_000;
  const newest = await collectNewest(walk(read, { ...request, perPage: Math.min(end, atOnce) }, memory), end);
  return { ...newest, items: newest.items.slice(end - perPage) };
}

/** Collects exactly the newest `limit` items of a walk, or all there are. Asks for no more pages than needed. */
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
