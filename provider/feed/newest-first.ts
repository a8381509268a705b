import { compareIds, type Transaction, type TransactionId } from "../panel/types";
import { zonedTime } from "../plain/clock";

/** Rows may be listed a few moments out of order. */
const toleranceMs = 60_000;

/**
 * Whether a page of the list is newest first: no row stands below one that was made more than a minute earlier. A row without a stamp that names
 * its zone must not stand below one whose id is smaller by more than a page's rows. Such a page decides what was made after what.
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

/** How far one decimal id is above another; 0 where it is not, or where that cannot be told. */
export function idDistance(higher: TransactionId | undefined, lower: TransactionId | undefined): number {
  if (higher === undefined || lower === undefined || (compareIds(higher, lower) ?? 0) <= 0) return 0;
  return Number(BigInt(higher) - BigInt(lower));
}

export function highestId(ids: Iterable<TransactionId>): TransactionId | undefined {
  let high: TransactionId | undefined;
  for (const id of ids) if (high === undefined || (compareIds(id, high) ?? 0) > 0) high = id;
  return high;
}
