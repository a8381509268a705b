import { compareIds, isDecimalId, type Transaction, type TransactionId } from "../panel/types";
import { zonedTime } from "../plain/clock";

/** Panels may list rows a few moments out of order. */
const toleranceMs = 60_000;

/**
 * True if a page of the list is newest first, so that it decides what was made after what. Decimal ids alone decide: they fall from row to row,
 * give or take a page, and the highest one stands in the upper half. If one is not decimal, no row stands below one that was made more than a
 * minute earlier.
 */
export function isNewestFirst(rows: readonly Transaction[]): boolean {
  const isByIds = rows.every(({ id }) => isDecimalId(id));
  let oldestAbove = Number.POSITIVE_INFINITY;
  let lowestAbove: TransactionId | undefined;
  for (const { id, createdAt } of rows) {
    const made = zonedTime(createdAt) ?? Number.POSITIVE_INFINITY;
    if (isByIds ? idDistance(id, lowestAbove) > rows.length : Number.isFinite(made) && made - oldestAbove > toleranceMs)
      return false;
    oldestAbove = Math.min(oldestAbove, made);
    if (lowestAbove === undefined || (compareIds(id, lowestAbove) ?? 0) < 0) lowestAbove = id;
  }
  return !isByIds || rows.length <= 2 || isInUpperHalf(rows);
}

/** A short list that is oldest first stays within a page of the right order, row by row. */
function isInUpperHalf(rows: readonly Transaction[]): boolean {
  const highest = highestId(rows.map(({ id }) => id));
  return rows.findIndex(({ id }) => id === highest) < rows.length / 2;
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
