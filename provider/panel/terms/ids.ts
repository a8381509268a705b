import type { TransactionId } from "./types";

const decimal = /^[0-9]+$/;
/** An id becomes one segment of a request's path, so nothing passes that could end the segment or the path. */
const segment = /^[A-Za-z0-9_-]{1,128}$/;

/** Whether a text can name something on the panel. */
export function isIdText(text: string): boolean {
  return segment.test(text);
}

/**
 * What a decimal id with zeros in front is to the panel. The panel reads `042` as a number and lists what it does for it under
 * `42`, so a restore asked for by the first would never be found again. Undefined when the id is written as the panel writes it.
 */
export function writtenByPanel(id: string): string | undefined {
  const plain = decimal.test(id) ? withoutLeadingZeros(id) : id;
  return plain === id ? undefined : plain;
}

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
