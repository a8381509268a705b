import { CutShortError } from "../errors";
import { handedOut } from "../formats/decode";
import type { Page } from "../terms/types";
import type { ListSoFar, WalkForm } from "./form";
import type { PagingMemory } from "./paging-memory";
import { readOrRefusal, type ReadPage } from "./read-page";
import { Trail } from "./trail";
import { formsToGoOn, mostRowsAtOnce } from "./which-form";

/**
 * Reads a list from its newest row down to its end. The first request is `/per_page/n`, which means the same on every
 * panel, so one page costs one request; for more, one form after the other is tried.
 *
 * An answer with few rows is not the list's end: a panel may give fewer than were asked for. Where no form leads on,
 * the walk fails, because what it has given would pass for the whole list.
 */
export async function* walk<Item extends { readonly id: string }>(
  read: ReadPage<Item>,
  { perPage, detailed }: { readonly perPage: number; readonly detailed?: boolean },
  memory: PagingMemory,
): AsyncGenerator<Page<Item>> {
  const first = await read({ perPage });
  const trail = new Trail<Item>();
  trail.add(first.items);
  yield handedOut(first, first.items);
  if (first.rowCount === 0) return;
  const list: ListSoFar<Item> = {
    memory,
    trail,
    first,
    asked: perPage,
    mostRows: mostRowsAtOnce(perPage, detailed),
    covered: first.rowCount,
    shortAt: first.rowCount < perPage ? first.rowCount : undefined,
  };
  for (const form of formsToGoOn(list)) {
    const ending = yield* goOn(form, read);
    if (ending === "end") return;
    if (ending === "no way on") break;
  }
  // Only an answer that shows the end of the list ends a walk well, not that the forms have run out.
  throw new CutShortError(first.asked, list.covered);
}

/** As far down as one form leads. */
async function* goOn<Item>(
  form: WalkForm<Item>,
  read: ReadPage<Item>,
): AsyncGenerator<Page<Item>, "end" | "other form" | "no way on"> {
  for (let request = form.ask(); request !== undefined; request = form.ask()) {
    const { next, page } = form.tell(await readOrRefusal(read, request, form.isRefusal));
    if (page !== undefined) yield page;
    if (next !== "same form") return next;
  }
  return "other form";
}
