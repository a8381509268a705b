import type { TransactionId } from "../panel/terms/types";

export interface LogPage {
  readonly page: number;
  readonly perPage: number;
  readonly ids: readonly TransactionId[];
}

export interface Placed {
  readonly id: TransactionId;
  /** Rows above it when it was last seen. */
  readonly position: number;
}

/** Pages of this size have a number on every panel; other sizes are safe only for the page on top. */
const numberedPage = 10;
/** Rows with their log are large: no more of them are read at once than this, and only for a row that may be on either of two pages. */
const longestTopPage = 50;
/** Rows near the top share one page of this many rows at most. */
const shortTopPage = 20;

/**
 * The pages on which to find each row, should up to `drift` new rows have come above it since it was seen: never
 * more pages than rows, as small as one request per page allows, and no larger than the page size but for the panel's own ten.
 */
export function logPages(rows: readonly Placed[], drift: number, pageSize = longestTopPage): LogPage[] {
  const top: Placed[] = [];
  const numbered = new Map<number, TransactionId[]>();
  for (const row of rows) {
    const lowest = row.position + drift;
    const mayBeOnTwo = numberOf(row.position) !== numberOf(lowest);
    if (lowest < Math.min(pageSize, mayBeOnTwo ? longestTopPage : shortTopPage)) {
      top.push(row);
    } else {
      const page = numberOf(row.position + drift / 2);
      numbered.set(page, [...(numbered.get(page) ?? []), row.id]);
    }
  }
  const pages = [...numbered].map(([page, ids]): LogPage => ({ page, perPage: numberedPage, ids }));
  if (top.length === 0) return pages;
  const perPage = Math.max(...top.map(({ position }) => position)) + drift + 1;
  return [{ page: 1, perPage, ids: top.map(({ id }) => id) }, ...pages];
}

function numberOf(position: number): number {
  return Math.floor(position / numberedPage) + 1;
}
