import type { RestoreRequest } from "../inputs/intent";
import type { Limit } from "../inputs/read-values";
import type { Message } from "../plain/message";
import { hasEnded } from "../rows/jobs";
import { heldUpText, limitName, lookAgain, notSentText } from "./messages";
import type { Action, Following, Looking, Now, Seen, Terms } from "./state";

/** Every limit of one restore. */

/** A page older than this decides nothing. */
export const freshMs = 3_000;
/** A lagging copy of the list catches up sooner. */
export const oldPagesMs = 60_000;
/** While others are at work, a guess is held this long, or half of `listed`. */
const guessMs = 60_000;

/** After a limit, and in a run that was held up, nothing is posted, because the machine may have changed since. */
export function whyTooLate(
  { until }: Looking,
  now: Now,
  { request, totalUntil }: Terms,
): ((trouble?: Message) => Action) | undefined {
  const notSent = (why: Message): Action => ({ do: "not sent", reason: notSentText(request, why) });
  if (now.isHeldUp) return () => ({ do: "not sent", reason: heldUpText(request) });
  if (now.at < until) return undefined;
  const limit = until === totalUntil ? "total" : "busy";
  const within = `within ${limitName(request, limit)}`;
  const next = `${lookAgain}; a longer timeouts.${limit} looks longer`;
  return (trouble) =>
    trouble
      ? notSent({ ...trouble, what: `its list could not be read ${within}: ${trouble.what}` })
      : notSent({ what: `nothing was decided ${within}`, next, help: "limit" });
}

/** Whether the page that shows the machine free is too old to post on it. */
export const isStale = (
  { answeredAt, readAt }: { readonly answeredAt: number; readonly readAt: number },
  { at }: Now,
  { requestTimeoutMs }: Terms,
): boolean => at - answeredAt > freshMs || answeredAt - readAt > requestTimeoutMs;

export const holdUntil = ({ began }: Following, { timeouts }: RestoreRequest): number =>
  began + Math.min(guessMs, timeouts.listedMs / 2);

/** What waits behind a failed part may start after all. */
export const isWaiting = ({ rows }: Seen): boolean => !rows.every(hasEnded);

/** What waits behind a failed part is given as long as a row that is listed late. */
export function closingMs(own: Seen, { settleMs, listedMs }: RestoreRequest["timeouts"]): number {
  return isWaiting(own) ? Math.max(settleMs, listedMs) : settleMs;
}

export function whyOver(
  limit: "listed" | "run",
  from: number | undefined,
  { at }: Now,
  { request, totalUntil }: Terms,
): string | undefined {
  const passed = (which: Limit, what: string): string => `${what} within ${limitName(request, which)}`;
  if (at >= totalUntil) return passed("total", "it has not ended");
  const { runMs, listedMs } = request.timeouts;
  const [ms, what] = limit === "run" ? [runMs, "it has not ended"] : [listedMs, "nothing of it was listed"];
  return from !== undefined && at - from > ms ? passed(limit, what) : undefined;
}

export function whyOverdue({ is, since, listedAt }: Following, now: Now, terms: Terms): string | undefined {
  if (is === "posted") return whyOver("listed", since, now, terms);
  return whyOver("run", is === "settling" ? since : listedAt, now, terms);
}
