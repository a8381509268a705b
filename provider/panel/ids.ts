import type { TransactionId } from "./types";

const decimal = /^[0-9]+$/;

/**
 * Order of two transaction ids: negative when `a` is older. Ids are decimal numbers of any size on the panels
 * known; where one is not, nothing can be said and the answer is undefined.
 */
export function compareIds(a: TransactionId, b: TransactionId): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  const left = BigInt(a);
  const right = BigInt(b);
  return left < right ? -1 : left > right ? 1 : 0;
}
