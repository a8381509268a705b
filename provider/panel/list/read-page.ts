import { PanelError, type PanelErrorKind } from "../errors";
import type { AnsweredPage } from "../answers/list-answer";
import type { PageRequest } from "../terms/types";

/** Reads one page by a path of the panel's; throws a PanelError. */
export type ReadPage<Item> = (page: PageRequest) => Promise<AnsweredPage<Item>>;

const unknownPathKinds: ReadonlySet<PanelErrorKind> = new Set([
  "notFound",
  "invalid",
  "refusedRequest",
  "redirect",
  "loginPage",
  "notThePanel",
  "unreadable",
]);

/** Ways of a panel to say that it does not know a path. */
export function isUnknownPath(error: PanelError): boolean {
  return unknownPathKinds.has(error.kind) || error.status === 500 || error.status === 501;
}

/** The same, and ways to say that this is more than the panel can give in one answer. */
export function isTooMuchAtOnce(error: PanelError): boolean {
  return isUnknownPath(error) || error.kind === "tooLarge" || error.kind === "timeout" || error.kind === "serverError";
}

export async function readOrRefusal<Item>(
  read: ReadPage<Item>,
  page: PageRequest,
  isRefusal: (error: PanelError) => boolean,
): Promise<AnsweredPage<Item> | "refused"> {
  try {
    return await read(page);
  } catch (error) {
    if (error instanceof PanelError && isRefusal(error)) return "refused";
    throw error;
  }
}
