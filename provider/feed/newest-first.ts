import { compareIds, type Transaction, type TransactionId } from "../panel/types";
import { zonedTime } from "../plain/clock";

/** Panels may list rows a few moments out of order. */
const toleranceMs = 60_000;

/**
 * True if a page of the list is newest first: no row stands below one made more than a minute earlier. Without a time
 * stamp that names its zone, no row may stand below one whose id is smaller by more than a page's rows. Such a page
 * tells which row is younger.
 */
export function isNewestFirst(rows: readonly Transaction[]): boolean {
  let oldestAbove = Number.POSITIVE_INFINITY;
  let lowestAbove: TransactionId | undefined;
  for (const { id, createdAt } of rows) {
    const made = zonedTime(createdAt) ?? Number.NaN;
    if (made - oldestAbove > toleranceMs) return false;
    if (Number.isNaN(made) && idDistance(id, lowestAbove) > rows.length) return false;
    if (made < oldestAbove) oldestAbove = made;
    if (lowestAbove === undefined || (compareIds(id, lowestAbove) ?? 0) < 0) lowestAbove = id;
  }
  return true;
}

/** How far one decimal id is above another; 0 if it is not, or if the ids do not compare. */
export function idDistance(higher: TransactionId | undefined, lower: TransactionId | undefined): number {
  if (higher === undefined || lower === undefined || (compareIds(higher, lower) ?? 0) <= 0) return 0;
  return Number(BigInt(higher) - BigInt(lower));
}

export function highestId(ids: Iterable<TransactionId>): TransactionId | undefined {
  let high: TransactionId | undefined;
  for (const id of ids) if (high === undefined || (compareIds(id, high) ?? 0) > 0) high = id;
  return high;
}
