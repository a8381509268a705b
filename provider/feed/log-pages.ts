import type { TransactionId } from "../panel/types";

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

/**
 * The fewest small pages that hold every row, should up to `drift` new rows have come above it since. Rows with
 * their log output are large, so a page is no longer than the rows next to each other need.
 */
export function logPages(rows: readonly Placed[], drift: number, largestPage: number): LogPage[] {
  const pages: LogPage[] = [];
  const waiting = [...rows].sort((a, b) => a.position - b.position);
  while (waiting.length > 0) {
    const page = longestRun(waiting, drift, Math.max(largestPage, 1));
    pages.push(page);
    waiting.splice(0, page.ids.length);
  }
  return pages;
}

/** The page that takes as many of the first rows as possible; always at least the first one. */
function longestRun(sorted: readonly Placed[], drift: number, largestPage: number): LogPage {
  const first = sorted[0]?.position ?? 0;
  for (let count = sorted.length; count > 0; count--) {
    const last = (sorted[count - 1]?.position ?? first) + drift;
    const perPage = smallestPageHolding(first, last, largestPage);
    if (perPage === undefined && count > 1) continue;
    const size = perPage ?? largestPage;
    return {
      page: Math.floor(first / size) + 1,
      perPage: size,
      ids: sorted.slice(0, count).map(({ id }) => id),
    };
  }
  return { page: 1, perPage: largestPage, ids: [] };
}

/** The smallest page size at which the rows `first` to `last` fall on one page. */
function smallestPageHolding(first: number, last: number, largest: number): number | undefined {
  for (let size = last - first + 1; size <= largest; size++) {
    if (Math.floor(first / size) === Math.floor(last / size)) return size;
  }
  return undefined;
}
