import { compareIds, type Transaction, type TransactionId } from "../panel/types";
import { idDistance } from "./newest-first";

/** The rows of a page requested by its number alone: every panel answers this form with one request. */
export const pageLength = 10;

/** A page entirely above or below the wanted row, and its row nearest to that one. */
export interface Bound {
  readonly page: number;
  readonly id: TransactionId | undefined;
}

export interface SearchOptions {
  /** Reads a numbered page; no rows if the list ends before it. */
  readonly read: (page: number) => Promise<readonly Transaction[]>;
  /** The place to begin: a page above the row with its last id, or page 0 with the first id of the list. */
  readonly start: Bound;
  /** The rows per id number, as far as known: ids may have gaps. */
  readonly rowsPerId: number;
  readonly expectedPage?: number;
}

export type SearchResult = { readonly page: number; readonly rows: readonly Transaction[] } | "not listed" | "no order";

/** A list without order or end costs this many requests and no more. */
const mostRequests = 64;
/** Pages this far apart end with the same row only if the panel repeats its last page for ever. */
const repeatStride = 50;
const repeatsToBelieve = 2;
/** Within so many pages, the search reads one after the other. */
const mostPagesInTurn = 4;

/**
 * Finds the numbered page of a row in a list with falling decimal ids. Each page lies above or below the row, so each
 * request narrows the range: a row 100,000 rows down takes a few requests if ids are dense, and never more than a few
 * times the logarithm of the pages.
 *
 * New rows push the row down meanwhile, never up. A page above it stays above it; a page below it may not stay below.
 * So "not listed" needs a page below the row that was read after the page right above.
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
      // This page was read after the one right above it. Otherwise the search reads that one again, a page further
      // down.
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

  /** The pages to go down while no page below the row is known: as many as the ids suggest, and ever more. */
  function pagesToSkip(): number {
    const passed = idDistance(start.id, above.id);
    const density = passed > 0 ? ((above.page - start.page) * pageLength) / passed : rowsPerId;
    // Page 0 stands for the first row of page 1, not for the last row of a page: one row more to go.
    const rows = idDistance(above.id, id) + (above.page === 0 ? 1 : 0);
    const likely = Math.ceil((rows * Math.min(1, density)) / pageLength);
    return Math.min(Math.max(likely, stride, 1), 100_000 * stride);
  }

  /** Dense ids tell the place by their distance; for others the middle is never far worse. */
  function pageBetween({ page: end, id: belowId }: Bound, request: number): number {
    if (end - above.page <= mostPagesInTurn) return above.page + 1;
    const whole = idDistance(above.id, belowId);
    const share = request % 2 === 0 || whole === 0 ? 0.5 : idDistance(above.id, id) / whole;
    return Math.min(Math.max(above.page + Math.round(share * (end - above.page)), above.page + 1), end - 1);
  }
}

/** The side of the row on which a page lies. A page whose ids do not fall proves nothing: the row may be anywhere. */
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
