import { handedOut } from "../formats/decode";
import type { AnsweredPage } from "../answers/list-answer";
import { collectNewest } from "./newest";
import type { PagingMemory } from "./paging-memory";
import { readOrRefusal, ten, type ReadPage } from "./read-page";
import type { Page, PageRequest, TransactionPageRequest } from "../terms/types";
import { walk } from "./walk";

/**
 * One page as a user asked for it. A page number or a page size alone is documented and goes out as it is; the two
 * together go out only to a panel that was seen to honour them. Everywhere else the page is cut out of the newest
 * rows down to its end, which is right whatever a panel makes of the two.
 */
export async function pageOf<Item extends { readonly id: string }>(
  read: ReadPage<Item>,
  request: TransactionPageRequest,
  memory: PagingMemory,
): Promise<Page<Item>> {
  const { page, perPage } = request;
  const alone = async (form: PageRequest): Promise<Page<Item>> => {
    const answer = await read(form);
    return handedOut(answer, answer.items.slice(0, form.perPage));
  };
  if (page === undefined || perPage === undefined) return alone(request);
  if (perPage === ten) {
    const answer = await read({ page });
    if (await isPageOfTen(read, page, answer, memory)) return handedOut(answer, answer.items.slice(0, ten));
  }
  if (page > 1 && !memory.combinedFails && perPage <= memory.combinedUpTo) {
    const answer = await combinedPage(read, page, perPage, memory);
    if (answer !== "refused") return answer;
  }
  const end = page * perPage;
  const atOnce = request.detailed === true ? 200 : 1_000;
  const down = walk(read, { ...request, perPage: end <= atOnce ? end : perPage }, memory);
  const newest = await collectNewest(down, end);
  return { ...newest, items: newest.items.slice(end - perPage) };
}

/** A short page is a panel's last one, or one of a panel that caps its pages below ten: its first page tells. */
async function isPageOfTen<Item extends { readonly id: string }>(
  read: ReadPage<Item>,
  page: number,
  answer: AnsweredPage<Item>,
  memory: PagingMemory,
): Promise<boolean> {
  if (answer.rowCount >= ten || memory.pagesOfTen) return true;
  const first = page === 1 ? answer : await readOrRefusal(read, { page: 1 });
  memory.pagesOfTen = first !== "refused" && first.rowCount === ten;
  return memory.pagesOfTen;
}

async function combinedPage<Item extends { readonly id: string }>(
  read: ReadPage<Item>,
  page: number,
  perPage: number,
  memory: PagingMemory,
): Promise<Page<Item> | "refused"> {
  const answer = await readOrRefusal(read, { page, perPage });
  if (answer === "refused") return answer;
  if (answer.rowCount === 0) memory.pastTheEnd = "empty";
  if (memory.pastTheEnd === "empty") return handedOut(answer, answer.items);
  // A page past the end may be the last one again. The page before tells: read later, it can only have moved away.
  const before = await readOrRefusal(read, { page: page - 1, perPage });
  if (before === "refused") return before;
  const known = new Set(before.items.map(({ id }) => id));
  return handedOut(answer, answer.items.some(({ id }) => known.has(id)) ? [] : answer.items);
}
