import type { RestoreRequest } from "../inputs/intent";
import type { Message } from "../plain/message";
import { hasEnded } from "../rows/jobs";
import { heldUp, limitName, lookAgain } from "./messages";
import type { Seen } from "./recognise";
import type { Following, Look, Looking, Terms } from "./state";

/** Nothing is posted on the basis of a page that is older than this. */
export const freshMs = 3_000;
/** The longest wait while the panel returns an outdated copy of the list, which usually catches up sooner. */
export const oldPagesMs = 60_000;
/** While others use the panel, a guess is held back for this long, or for half of `timeouts.listed` if that is shorter. */
const guessMs = 60_000;

export const limitOf = ({ until }: Looking, { totalUntil }: Terms) => (until === totalUntil ? "total" : "busy");

/** Why it is too late to post: a limit has passed, or the run was held up, so the machine may have changed in the meantime. */
export function whyTooLate(state: Looking, terms: Terms, trouble?: Message): Message | undefined {
  if (terms.isHeldUp) return heldUp;
  if (terms.at < state.until) return undefined;
  const limit = limitOf(state, terms);
  const within = `within ${limitName(terms.request, limit)}`;
  if (trouble) return { ...trouble, what: `the panel's list could not be read ${within}: ${trouble.what}` };
  const next = `${lookAgain}; to look longer, increase timeouts.${limit}`;
  return { what: `no decision was reached ${within}`, next, help: "limit" };
}

/** Whether the page that showed the machine as free is now too old for a POST. */
export const isStale = ({ answeredAt, readAt }: Look, { at, requestTimeoutMs }: Terms): boolean =>
  at - answeredAt > freshMs || answeredAt - readAt > requestTimeoutMs;

export const holdUntil = ({ began }: Following, { timeouts }: RestoreRequest): number =>
  began + Math.min(guessMs, timeouts.listedMs / 2);

/** Whether a part waits behind a failed part and may still start. */
export const isWaiting = ({ rows }: Seen): boolean => !rows.every(hasEnded);

/** A part that waits behind a failed part gets as much time as a row that is listed late. */
export const closingMs = (own: Seen, { settleMs, listedMs }: RestoreRequest["timeouts"]): number =>
  isWaiting(own) ? Math.max(settleMs, listedMs) : settleMs;

/** Names the limit that has passed. `what`: what did not happen in time. `from`: when the wait for the listing or for the end began. */
function whyOver(limit: "listed" | "run", from: number, what: string, terms: Terms): string | undefined {
  const { at, request, totalUntil } = terms;
  const passed = at >= totalUntil ? "total" : at - from > request.timeouts[`${limit}Ms`] ? limit : undefined;
  return passed && `${what} within ${limitName(request, passed)}`;
}

/** `isRead`: the list was read. A list that could not be read does not show that the restore is missing. */
export function whyOverdue(state: Following, terms: Terms, isRead = true): string | undefined {
  const { is, since, listedAt = since, isOnce, began } = state;
  const { settleMs, listedMs } = terms.request.timeouts;
  const what = is === "unlisted" && !isRead ? "the panel's list could not be read" : "it did not end";
  if (isOnce) return terms.at - began > settleMs + listedMs ? what : undefined;
  if (is === "unlisted" && isRead) return whyOver("listed", since, "no match", terms);
  // If two copies of the list alternate, the restore keeps reappearing, but the limit is still measured from its first listing.
  return whyOver("run", is === "listed" ? listedAt : since, what, terms);
}
