import { toPage } from "./decode";
import { CutShortError } from "./errors";
import { notThisForm, pageOrRefusal, type ReadPage } from "./list-page";
import type { Page } from "./types";
import { panelPageRows } from "./walk";

/** More than a machine keeps; also how far a panel is followed that always has another page. */
const mostRows = 10_000;
const rowsAtOnce = 1_000;

/**
 * All of a short list of which neither the order nor the paging is described: it may come whole whatever page is asked for, be
 * paged like the other lists, or know no path that names a page. `walk` is for the long ones, and counts on the newest first.
 *
 * Fewer rows than were asked for may be all there are, or all that the panel gives at once: the page of ten behind them tells.
 */
export async function readWholeList<Item extends { readonly id: string }>(read: ReadPage<Item>): Promise<Page<Item>> {
  const sized = await pageOrRefusal(read, { perPage: rowsAtOnce }, notThisForm);
  const first = sized ?? (await read({}));
  const rows = new Map(first.items.map((item) => [item.id, item]));
  const whole = (): Page<Item> => toPage(first, [...rows.values()]);
  // Where no path may name a page, only ten rows can be a part of more.
  if (first.rowCount === 0 || (sized === undefined && first.rowCount !== panelPageRows)) return whole();

  for (let page = Math.max(2, Math.floor(first.rowCount / panelPageRows) + 1); ; page++) {
    const answer = await pageOrRefusal(read, { page }, notThisForm);
    if (answer === undefined || answer.rowCount === 0) return whole();
    const fresh = answer.items.filter(({ id }) => !rows.has(id));
    const holdsKnown = fresh.length < answer.items.length;
    if (fresh.length === 0) {
      // Rows from the top, and not the whole list: this panel does not let anybody read on.
      const isTop = answer.items.some(({ id }) => id === first.items[0]?.id);
      if (isTop && answer.rowCount < first.rowCount) throw new CutShortError(answer.asked, rows.size);
      return whole();
    }
    // A page that begins in the middle of the rows read so far holds the last of them, or pages are not of ten.
    const isGap = !holdsKnown && rows.size > panelPageRows && rows.size % panelPageRows !== 0;
    if (isGap || rows.size + fresh.length > mostRows) throw new CutShortError(answer.asked, rows.size);
    for (const item of fresh) rows.set(item.id, item);
  }
}
