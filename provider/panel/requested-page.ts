import { toPage } from "./decode";
import type { ReadPage } from "./list-page";
import type { Page, TransactionPageRequest } from "./types";
import { type PagingMemory, panelPageRows, walk } from "./walk";

/**
 * One page as a user asked for it. A page number or a page size alone is documented and goes out as it is. With both, the page is cut out of
 * the newest rows down to its end, which is right whatever a panel makes of the two; but a full page of ten is the panel's own.
 */
export async function requestedPage<Item extends { readonly id: string }>(
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
