import type { AnsweredPage } from "./answers";
import { PanelError, type PanelErrorKind, meansNoSuchPage } from "./errors";
import type { Page, PageRequest } from "./types";

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

type ErrorKinds = ReadonlySet<PanelErrorKind>;
export const noErrors: ErrorKinds = new Set();
/** Answers to an undocumented form of request, instead of a list. */
export const notThisForm: ErrorKinds = new Set(["redirect", "loginPage", "notThePanel", "unreadable"]);
/** The same, and the answers to a request for more than the panel can give at once. */
export const notThisMuch: ErrorKinds = new Set([...notThisForm, "tooLarge", "timeout", "serverError"]);

/** Reads a page; undefined if the panel has no such page or answers with one of these errors. */
export async function pageOrRefusal<Item>(
  read: ReadPage<Item>,
  request: PageRequest,
  refusals: ErrorKinds,
): Promise<AnsweredPage<Item> | undefined> {
  try {
    return await pageOrNone(read, request);
  } catch (error) {
    if (error instanceof PanelError && refusals.has(error.kind)) return undefined;
    throw error;
  }
}

export function sameRows<Item extends { readonly id: string }>(a: Page<Item>, b: Page<Item>): boolean {
  return a.items.length === b.items.length && a.items.every(({ id }, index) => id === b.items[index]?.id);
}
