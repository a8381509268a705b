import { toPage } from "./decode";
import { CutShortError } from "./errors";
import { notThisForm, pageOrRefusal, type ReadPage } from "./list-page";
import type { Page } from "./types";
import { panelPageRows } from "./walk";

/** More than a machine keeps. The limit also ends the reading of a panel that always has another page. */
const mostRows = 10_000;
const rowsAtOnce = 1_000;

/**
 * Reads the whole of a short list with undocumented order and paging. The panel may send it whole for every page,
 * page it like the other lists, or know no path with a page. `walk` serves the long lists, and relies on newest
 * first.
 *
 * Fewer rows than requested may be the whole list, or the panel's limit: the page of ten behind them tells.
 */
export async function readWholeList<Item extends { readonly id: string }>(read: ReadPage<Item>): Promise<Page<Item>> {
  const sized = await pageOrRefusal(read, { perPage: rowsAtOnce }, notThisForm);
  const first = sized ?? (await read({}));
  const rows = new Map(first.items.map((item) => [item.id, item]));
  const whole = (): Page<Item> => toPage(first, [...rows.values()]);
  // If no path may name a page, only exactly ten rows can be part of a longer list.
  if (first.rowCount === 0 || (sized === undefined && first.rowCount !== panelPageRows)) return whole();

  for (let page = Math.max(2, Math.floor(first.rowCount / panelPageRows) + 1); ; page++) {
    const answer = await pageOrRefusal(read, { page }, notThisForm);
    if (answer === undefined || answer.rowCount === 0) return whole();
    const fresh = answer.items.filter(({ id }) => !rows.has(id));
    const holdsKnown = fresh.length < answer.items.length;
    if (fresh.length === 0) {
      // The page shows the top again, and less than the whole list: this panel gives no further rows.
      const isTop = answer.items.some(({ id }) => id === first.items[0]?.id);
      if (isTop && answer.rowCount < first.rowCount) throw new CutShortError(answer.sent, rows.size);
      return whole();
    }
    // A page that begins in the middle of the rows read must hold the last of them; otherwise pages are not of ten.
    const isGap = !holdsKnown && rows.size > panelPageRows && rows.size % panelPageRows !== 0;
    if (isGap || rows.size + fresh.length > mostRows) throw new CutShortError(answer.sent, rows.size);
    for (const item of fresh) rows.set(item.id, item);
  }
}
