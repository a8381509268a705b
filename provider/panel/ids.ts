import type { TransactionId } from "./types";

const decimal = /^[0-9]+$/;

/**
 * Order of two transaction ids: negative when `a` is older. Ids are decimal numbers of any size on the panels
 * known; where one is not, nothing can be said and the answer is undefined.
 */
export function compareIds(a: TransactionId, b: TransactionId): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  // As text: a thousand waits compare their ids with every row of every look, and BigInt would take most of that time.
  const left = withoutLeadingZeros(a);
  const right = withoutLeadingZeros(b);
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

function withoutLeadingZeros(digits: string): string {
  return digits.startsWith("0") ? digits.replace(/^0+(?=.)/, "") : digits;
}
