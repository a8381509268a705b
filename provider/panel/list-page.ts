import type { AnsweredPage } from "./answers";
import { PanelError, meansNoSuchPage } from "./errors";
import { compareIds, type ListedRow, type Page, type PageRequest, rowKey, type TransactionId } from "./types";

export type ReadPage<Item> = (page: PageRequest) => Promise<AnsweredPage<Item>>;

/** Undefined if the panel has no such page. Some panels answer 500 past the end, which is assumed if page 1 has rows and the page fails again. */
export async function pageOrNone<Answer extends Page<unknown>>(
  read: (page: PageRequest) => Promise<Answer>,
  request: PageRequest,
  isAgain = false,
): Promise<Answer | undefined> {
  try {
    return await read(request);
  } catch (error) {
    if (!(error instanceof PanelError)) throw error;
    if (meansNoSuchPage(error) || (isAgain && error.status === 500)) return undefined;
    if (error.status !== 500 || (await read({ page: 1 })).items.length === 0) throw error;
    return pageOrNone(read, request, true);
  }
}

/** The statuses with which a panel may refuse a page size. */
export const sizeRefusals: readonly (number | undefined)[] = [400, 404, 422, 500];

/** Reads the newest page without a size if the panel refuses every size. */
export const orWithoutSize =
  <Item>(read: ReadPage<Item>): ReadPage<Item> =>
  async (request) => {
    try {
      return await read(request);
    } catch (error) {
      const isRefused = error instanceof PanelError && sizeRefusals.includes(error.status);
      if (!isRefused || request.perPage === undefined || request.page !== undefined) throw error;
      return read({}).catch(() => {
        throw error;
      });
    }
  };

export function sameRows(some: readonly ListedRow[], others: readonly ListedRow[]): boolean {
  const keys = others.map(rowKey);
  return some.length === keys.length && some.every((row, index) => rowKey(row) === keys[index]);
}

/** Reverses a page with increasing ids, because some panels list the rows of a page oldest first. */
export function newestFirst<Item extends ListedRow>(page: AnsweredPage<Item>): AnsweredPage<Item> {
  const { items } = page;
  const ids = items.map(({ id = "" }) => id as TransactionId);
  const isRising = ids.every((id, at) => at === 0 || (compareIds(ids[at - 1] ?? id, id) ?? 0) < 0);
  return isRising ? { ...page, items: [...items].reverse() } : page;
}

/** Collects exactly the newest `limit` items of a walk, or all items if there are fewer, with no more requests than needed. */
export async function collectNewest<Item>(walk: AsyncIterable<Page<Item>>, limit: number): Promise<Page<Item>> {
  const items: Item[] = [];
  let skipped = 0;
  let panelTime: number | undefined;
  for await (const page of walk) {
    items.push(...page.items);
    skipped += page.skipped;
    panelTime ??= page.panelTime;
    if (items.length >= limit) break;
  }
  return { items: items.slice(0, limit), skipped, ...(panelTime === undefined ? {} : { panelTime }) };
}
