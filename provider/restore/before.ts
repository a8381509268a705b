import { longestPauseMs } from "../feed/feed";
import type { IntendedRequest, RestoreRequest } from "../inputs/intent";
import { howToAllow, whyNotAllowed } from "../inputs/settings";
import type { Message } from "../plain/message";
import { freshMs, isStale, oldPagesMs, whyTooLate } from "./limits";
import {
  adoptedText,
  busyText,
  failureIsGone,
  idOnRow,
  limitName,
  notSentText,
  oldPages,
  questionText,
  runAgainText,
  runIsGone,
  unknownWordsText,
  unlistedBefore,
  unreachableText,
  waitingText,
} from "./messages";
import { idsOf, jobsOfRows, showsAll } from "./recognise";
import type { Action, Decision, Look, Looking, Now, Past, Reach, Sight, Terms } from "./state";

/** What is decided before the POST. */

const firstLookRows = 100;

export function beginLooking(past: Past | undefined, at: number, terms: Terms): Looking {
  const { quietMs, requestTimeoutMs, totalUntil, request } = terms;
  // However short its limit is, a later attempt reads once more after its quiet time.
  const until = at + Math.max(request.timeouts.busyMs, requestTimeoutMs) + (past ? quietMs + longestPauseMs : 0);
  return {
    is: "looking",
    past,
    began: at,
    until: Math.min(until, totalUntil),
    quietUntil: at + quietMs,
    lookedBackAt: -Infinity,
    goodAt: at,
    isLogSlow: false,
    isLogAwaited: false,
    busy: [],
    early: [],
  };
}

/** A later attempt reads down to its mark, and to the rows that failed, at first and again once the quiet time is over. */
export function reachOfLook({ past, busy, lookedBackAt, quietUntil }: Looking, at: number): Reach {
  const isDeep = lookedBackAt === -Infinity || (at >= quietUntil && lookedBackAt < quietUntil);
  if (past) return { isDeep, ids: isDeep ? past.failedIds : [] };
  // The first look goes far enough down to see who is at work on the machine, even if pages are short.
  return { isDeep, isTop: true, ids: busy, ...(isDeep && { rows: firstLookRows }) };
}

export function beforePost(state: Looking, sight: Sight, now: Now, terms: Terms): Decision {
  const { request } = terms;
  const over = whyTooLate(state, now, terms);
  if (sight.read === "nothing") {
    const until = Math.min(state.until + (sight.waitedMs ?? 0), terms.totalUntil);
    return again({ ...state, until }, now, undefined, 50);
  }
  if (sight.read === "failed") {
    if (sight.ends) return end(state, notSent(request, sight.trouble));
    if (over) return end(state, over(sight.trouble));
    return again(state, now, `the panel's list cannot be read, trying again: ${sight.trouble.what}`);
  }
  if (sight.read === "old") {
    const isLong = now.at - state.goodAt > oldPagesMs;
    return isLong ? end(state, notSent(request, oldPages)) : again(state, now);
  }
  const next: Looking = {
    ...state,
    goodAt: now.at,
    lookedBackAt: sight.isDeep ? sight.readAt : state.lookedBackAt,
    isLogSlow: now.at - sight.answeredAt > freshMs,
    busy: sight.jobs.filter(({ isBusy }) => isBusy).flatMap(idsOf),
  };
  const found = state.past && whatIsFound(state.past, sight, request as IntendedRequest);
  if (found) return end(next, found);
  if (next.busy.length > 0) return whileBusy(next, sight, now, terms);
  return whenFree(next, sight, now, terms);
}

/** What a later attempt finds of an earlier attempt: the restore itself, or a question for a person. */
function whatIsFound(past: Past, sight: Look, request: IntendedRequest): Action | undefined {
  const { panelTime, isComplete, isWhole, isDeep, jobs } = sight;
  const failed = past.failedIds;
  const former = jobsOfRows(jobs, failed);
  const isAsItWas = (row: { readonly id: string; readonly state: string }): boolean =>
    failed.includes(row.id) || row.state === "failed";
  const changed = former.filter(
    ({ rows, end: ended, failedPart }) => ended !== "failed" || failedPart !== undefined || !rows.every(isAsItWas),
  );
  const [first] = changed;
  // Its restore has turned out complete, or otherwise, since. Of several attempts, nobody knows which has overwritten which.
  if (
    first &&
    changed.length === former.length &&
    showsAll(former, failed) &&
    (first.end !== "failed" || first.failedPart !== undefined)
  )
    return { do: "adopt", why: "found", jobs: former, text: runAgainText(first, panelTime) };
  // While one is at work, it keeps the machine busy.
  if (first && changed.every((job) => job.end !== undefined || !job.isBusy))
    return because(questionText(request, changed, panelTime));
  const mine = jobs.filter(({ verdict }) => verdict === "mine");
  const ofMachine = [...mine, ...jobs.filter(({ fit }) => fit === "contradicted")];
  if (!isComplete) {
    const maybe = [...ofMachine, ...jobs.filter(({ fit }) => fit === "unsaid")];
    return isDeep ? because(unreachableText(request, maybe, panelTime, isWhole)) : undefined;
  }
  const [only, ...more] = mine;
  if (only === undefined) return undefined;
  return more.length === 0 && past.isAskedAgain !== true
    ? { do: "adopt", why: "found", jobs: [only], text: adoptedText(only, panelTime) }
    : because(questionText(request, ofMachine, panelTime));
}

function whileBusy(state: Looking, { jobs }: Look, now: Now, terms: Terms): Decision {
  const { request, words, quietMs } = terms;
  const busy = jobs.filter(({ isBusy }) => isBusy);
  const [working] = busy;
  const over = whyTooLate(state, now, terms);
  if (working === undefined) return again(state, now);
  if (request.timeouts.busyMs === 0) return end(state, because(busyText(request, working, words, undefined)));
  if (over) {
    const text = busyText(request, working, words, limitName(request, "busy"));
    return end(state, now.isHeldUp ? over() : because(text));
  }
  const early = now.at < state.began + quietMs ? [...new Set([...state.early, ...state.busy])] : state.early;
  const mayBePosted = busy.some((job) => job.mayBeRestore || idsOf(job).some((id) => early.includes(id)));
  const row = working.rows.at(-1) ?? working.rows[0];
  return again(
    { ...state, early, quietUntil: mayBePosted ? now.at + quietMs : state.quietUntil },
    now,
    waitingText(row, timeOfDay(state.until, now)),
  );
}

/** The machine is free, and nothing was found. */
function whenFree(state: Looking, sight: Look, now: Now, terms: Terms): Decision {
  const { request } = terms;
  const { past, quietUntil } = state;
  const over = whyTooLate(state, now, terms);
  if (past && state.lookedBackAt < quietUntil)
    return over ? end(state, over()) : again(state, now, quietText(past, quietUntil, now));
  if (!sight.ready) return { state, action: { do: "get ready" } };
  const maybe = past ? sight.jobs.filter(({ verdict }) => verdict === "maybe") : [];
  const [first] = maybe;
  const isLogAwaited = first !== undefined && sight.isLogUsual && maybe.every(({ fit }) => fit === "unsaid");
  // Where others are at work all the time, that would have no end.
  if (first && isLogAwaited && over === undefined && now.at < quietUntil + terms.quietMs)
    return again(
      { ...state, isLogAwaited },
      now,
      `waiting until the machine's log would name ${idOnRow(first.rows[0].id)}`,
    );
  if (first) return end(state, because(questionText(request as IntendedRequest, maybe, sight.panelTime)));
  if (past && !showsAll(sight.jobs, past.failedIds)) return end(state, notSent(request, failureIsGone));
  if (over) return end(state, over());
  if (sight.unknownWords.length > 0) return end(state, because(unknownWordsText(request, sight.unknownWords)));
  if (sight.lost !== undefined) return end(state, notSent(request, unlistedBefore(sight.lost)));
  if (!sight.ready.isWatched) return end(state, notSent(request, runIsGone));
  if (isStale(sight, now, terms)) return again({ ...state, isLogAwaited }, now, undefined, 50);
  const forbidden = whyNotAllowed(request.target.virtualMachineId, terms.allowedMachines);
  if (forbidden !== undefined)
    return end(state, notSent(request, { what: forbidden, next: howToAllow, help: "machines" }));
  return { state, action: { do: "post" } };
}

function quietText({ failedIds }: Past, until: number, now: Now): string {
  const isRetry = failedIds.length > 0;
  const what = isRetry ? "a newer restore of the machine" : "a restore that an earlier attempt may have posted";
  return `looking for ${what}, until ${timeOfDay(until, now)}${isRetry ? "; new triggers restore at once" : ""}`;
}

/** Reads once more; soon after the quiet time, where that is not over. */
function again(state: Looking, now: Now, say?: string, withinMs?: number): Decision {
  const by = state.past && state.quietUntil > now.at ? state.quietUntil + 1 : undefined;
  return { state, action: { do: "read", withinMs, by }, say };
}

/** A time of day, as the runner's clock shows it. */
function timeOfDay(until: number, { at, wallTime }: Now): string {
  // A minute that has begun is not over.
  const wall = new Date(wallTime.getTime() + until - at + 59_999);
  return `${String(wall.getHours()).padStart(2, "0")}:${String(wall.getMinutes()).padStart(2, "0")}`;
}

const end = (state: Looking, action: Action): Decision => ({ state, action });
const because = (reason: string): Action => ({ do: "not sent", reason });
const notSent = (request: RestoreRequest, why: Message): Action => because(notSentText(request, why));
