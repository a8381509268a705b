import { handedOut } from "../formats/decode";
import type { Page, PageRequest, TransactionPageRequest } from "../terms/types";
import { collectNewest } from "./newest";
import type { PagingMemory } from "./paging-memory";
import type { ReadPage } from "./read-page";
import { walk } from "./walk";
import { formsForOnePage } from "./which-form";

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
