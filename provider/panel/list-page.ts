import type { AnsweredPage } from "./answers";
import { PanelError, meansNoSuchPage } from "./errors";
import { compareIds, type ListedRow, type Page, type PageRequest, rowKey, type TransactionId } from "./types";

/** Reads one page by one of the panel's paths; throws a PanelError. */
export type ReadPage<Item> = (page: PageRequest) => Promise<AnsweredPage<Item>>;

/**
 * Reads a page by its number; undefined if the panel has none, in whatever way it says so.
 *
 * Some panels fail for a number past the end of the list, and any panel fails now and then. So a failure means a
 * missing page only if the list can be read right after it and the page then fails again.
 */
export async function pageOrNone<Answer extends Page<unknown>>(
  read: (page: PageRequest) => Promise<Answer>,
  request: PageRequest,
): Promise<Answer | undefined> {
  const first = await pageOrFailure(read, request);
  if (!(first instanceof PanelError)) return first;
  if ((await read({ page: 1 })).items.length === 0) throw first;
  const again = await pageOrFailure(read, request);
  return again instanceof PanelError ? undefined : again;
}

async function pageOrFailure<Answer>(
  read: (page: PageRequest) => Promise<Answer>,
  request: PageRequest,
): Promise<Answer | PanelError | undefined> {
  try {
    return await read(request);
  } catch (error) {
    if (!(error instanceof PanelError)) throw error;
    if (meansNoSuchPage(error)) return undefined;
    if (error.status === 500 || error.status === 501) return error;
    throw error;
  }
}

export function sameRows(a: Page<ListedRow>, b: Page<ListedRow>): boolean {
  const keys = b.items.map(rowKey);
  return a.items.length === keys.length && a.items.every((row, index) => rowKey(row) === keys[index]);
}

/** Some panels list the rows of a page oldest first. Numbers that only grow show it. */
export function newestFirst<Item extends ListedRow>(page: AnsweredPage<Item>): AnsweredPage<Item> {
  const { items } = page;
  const ids = items.map(({ id = "" }) => id as TransactionId);
  const isRising = ids.every((id, at) => at === 0 || (compareIds(ids[at - 1] ?? id, id) ?? 0) < 0);
  return isRising ? { ...page, items: [...items].reverse() } : page;
}
