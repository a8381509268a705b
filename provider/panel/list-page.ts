import type { AnsweredPage } from "./answers";
import { PanelError, type PanelErrorKind, meansNoSuchPage } from "./errors";
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
    if (meansNoSuchPage(error)) return undefined;
    if (error.status === 500 || error.status === 501) return error;
    throw error;
  }
}

type ErrorKinds = ReadonlySet<PanelErrorKind>;
export const noErrors: ErrorKinds = new Set();
/** Ways to answer a form that is not described with something else than a list. */
export const notThisForm: ErrorKinds = new Set(["redirect", "loginPage", "notThePanel", "unreadable"]);
/** The same, and ways to say that this is more than the panel can give in one answer. */
export const notThisMuch: ErrorKinds = new Set([...notThisForm, "tooLarge", "timeout", "serverError"]);

/** The page, or undefined where the panel refuses it: it has no such page, or answers this form with one of these errors. */
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
