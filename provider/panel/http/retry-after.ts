const shortestMs = 250;
/** Nothing here asks more often than this anyway, so a longer wish (an hour, a week) is met by not asking again. */
const longestMs = 10_000;

/**
 * What a `Retry-After` header asks for, in milliseconds within bounds: seconds, or a date by the panel's own clock
 * (its `Date` header) where it says what time it has. Undefined when there is none, or none that can be read.
 */
export function retryAfterMs(
  header: string | undefined,
  dateHeader: string | undefined,
  now: number,
): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const wish = /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : untilDate(text, dateHeader, now);
  return wish === undefined ? undefined : Math.min(Math.max(wish, shortestMs), longestMs);
}

function untilDate(text: string, dateHeader: string | undefined, now: number): number | undefined {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const panelNow = Date.parse(dateHeader ?? "");
  return at - (Number.isNaN(panelNow) ? now : panelNow);
}
