/**
 * A number as JavaScript can hold it without a change, or else its text: ids above 2^53 and numbers such as 1.50
 * come out as they were written. Both formats go through this, so that both give the same value.
 */
export function exactNumber(text: string): number | string {
  const value = Number(text);
  if (String(value) !== text) return text;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
}
