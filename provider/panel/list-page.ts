import type { AnsweredPage } from "./answers";
import { PanelError, saysNoSuchPage } from "./errors";
import type { Page, PageRequest } from "./types";

/** Reads one page by a path of the panel's; throws a PanelError. */
export type ReadPage<Item> = (page: PageRequest) => Promise<AnsweredPage<Item>>;

/**
 * A page by its number, or undefined where the panel has none, in whichever way it says so.
 *
 * Some panels fail over a number past the end of the list, and any panel fails now and then. So a failure tells of the page only when
 * the list can be read right after it, and the page fails again.
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
    if (saysNoSuchPage(error)) return undefined;
    if (error.status === 500 || error.status === 501) return error;
    throw error;
  }
}

export function sameRows<Item extends { readonly id: string }>(a: Page<Item>, b: Page<Item>): boolean {
  return a.items.length === b.items.length && a.items.every(({ id }, index) => id === b.items[index]?.id);
}
