import { compareIds, type Transaction, type TransactionId } from "../panel/types";
import { idDistance } from "./newest-first";

/** Rows on a page that is asked for by its number alone: the one form that every panel gives at the cost of one request. */
export const pageLength = 10;

/** A page whose rows all lie above the row that is looked for, or all below it, and its row nearest to that one. */
export interface Bound {
  readonly page: number;
  readonly id: TransactionId | undefined;
}

export interface SearchOptions {
  /** Reads a numbered page; no rows where the list ends before it. */
  readonly read: (page: number) => Promise<readonly Transaction[]>;
  /** Where to begin: a page that lies above the row, and its last id; or page 0 and the first id of the list. */
  readonly start: Bound;
  /** How many rows the list has for each number of its ids, as far as that is known: ids may have gaps. */
  readonly rowsPerId: number;
  /** The page on which the row is expected. */
  readonly expectedPage?: number;
}

export type SearchResult = { readonly page: number; readonly rows: readonly Transaction[] } | "not listed" | "no order";

/** A list that has no order, or no end, costs this many requests and no more. */
const mostRequests = 64;
/** Pages this far apart do not end with the same row, unless the last page is repeated for all that follow it. */
const repeatStride = 50;
const repeatsToBelieve = 2;
/** When the row must lie within so many pages, they are read one after the other. */
const mostPagesInTurn = 4;

/**
 * Finds the numbered page that holds a row of a list with falling decimal ids. Each page is above the row or below it, so each request narrows where
 * it can be: where ids are dense a row 100,000 rows down takes a few requests, and never more than a few times the logarithm of the pages.
 *
 * Rows that come in meanwhile push the row down, never up. So what was found above it still is, what was found below it may not be any more, and
 * that it is not listed takes a page below it that was read after the page right above.
 */
export async function searchRow(
  id: TransactionId,
  { read, start, rowsPerId, expectedPage }: SearchOptions,
): Promise<SearchResult> {
  let above: Bound = start;
  let below: Bound | undefined;
  let stride = 1;
  let repeats = 0;
  for (let request = 0; request < mostRequests; request++) {
    const expected = request === 0 && expectedPage !== undefined ? Math.max(expectedPage, start.page + 1) : undefined;
    const page = expected ?? (below === undefined ? above.page + pagesToSkip() : pageBetween(below, request));
    const rows = await read(page);
    if (rows.some((row) => row.id === id)) return { page, rows };
    const side = sideOf(rows, id);
    if (side === "no order") return side;
    if (side === "around") return "not listed";
    if (side === "below") {
      below = { page, id: rows[0]?.id };
      // Read after the page right above it. Else that one is read again, a page further down.
      if (page <= above.page + 1) return "not listed";
      continue;
    }
    const last = rows.at(-1)?.id;
    const isRepeated = below === undefined && last === above.id && above.page > start.page;
    if (isRepeated && page - above.page >= repeatStride && ++repeats >= repeatsToBelieve) return "not listed";
    if (!isRepeated) repeats = 0;
    stride = isRepeated ? repeatStride : stride * 2;
    above = { page, id: last };
    if (below !== undefined && below.page <= page + 1) [below, stride] = [undefined, 1];
  }
  return "no order";

  /** Pages to go down while nothing is known to lie below the row: as many as the ids make likely, and ever more. */
  function pagesToSkip(): number {
    const passed = idDistance(start.id, above.id);
    const density = passed > 0 ? ((above.page - start.page) * pageLength) / passed : rowsPerId;
    // Page 0 comes with the first row of page 1, not with the last row of a page: from there it is one row more.
    const rows = idDistance(above.id, id) + (above.page === 0 ? 1 : 0);
    const likely = Math.ceil((rows * Math.min(1, density)) / pageLength);
    return Math.min(Math.max(likely, stride, 1), 100_000 * stride);
  }

  /** Where ids are dense their distance tells the place; where they are not, the middle is never far worse. */
  function pageBetween({ page: end, id: belowId }: Bound, request: number): number {
    if (end - above.page <= mostPagesInTurn) return above.page + 1;
    const whole = idDistance(above.id, belowId);
    const share = request % 2 === 0 || whole === 0 ? 0.5 : idDistance(above.id, id) / whole;
    return Math.min(Math.max(above.page + Math.round(share * (end - above.page)), above.page + 1), end - 1);
  }
}

/** Where a page without the row lies. Pages whose rows do not fall prove nothing: the row may be anywhere. */
function sideOf(rows: readonly Transaction[], id: TransactionId): "above" | "around" | "below" | "no order" {
  const isFalling = rows.every(
    (row, index) => index === 0 || (compareIds(row.id, rows[index - 1]?.id ?? row.id) ?? 1) <= 0,
  );
  const [first, last] = [rows[0], rows.at(-1)];
  if (!isFalling) return "no order";
  if (first === undefined || last === undefined || (compareIds(first.id, id) ?? 0) < 0) return "below";
  const order = compareIds(last.id, id);
  return order === undefined ? "no order" : order > 0 ? "above" : "around";
}
