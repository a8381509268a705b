import { longestPauseMs } from "../feed/feed";
import type { IntendedRequest } from "../inputs/intent";
import { howToAllow, whyNotAllowed } from "../inputs/settings";
import type { Message } from "../plain/message";
import { mayBeRestore, saysRestore } from "../rows/jobs";
import { isStale, limitOf, oldPagesMs, whyTooLate } from "./limits";
import * as texts from "./messages";
import { hasAny, idsOf, type Judged, jobsOfRows, showsAll } from "./recognise";
import {
  type Action,
  type Decision,
  type Look,
  type Looking,
  notSent,
  type Past,
  type Sight,
  type Terms,
} from "./state";
import type { Reach } from "./view";

/** `open`: the transactions of the previous request, unless it is complete. They may keep the machine busy, however far down the list they are. */
export function beginLooking(past: Past | undefined, terms: Terms, open: readonly string[] = []): Looking {
  const { at, quietMs, requestTimeoutMs, totalUntil, request } = terms;
  // A later attempt reads once more after its quiet time, however short the limit is.
  const until = at + Math.max(request.timeouts.busyMs, requestTimeoutMs) + (past ? quietMs + longestPauseMs : 0);
  return {
    is: "looking",
    past,
    began: at,
    listedBy: at + quietMs,
    until: Math.min(until, totalUntil),
    quietUntil: (past?.since ?? at) + quietMs,
    lookedBackAt: -Infinity,
    goodAt: at,
    busy: open,
    freeAt: open.length > 0 ? at + request.timeouts.settleMs : at,
    early: [],
  };
}

/** The first read of a later attempt goes down to its mark and to the failed rows, as do the first reads after `listedBy` and after `quietUntil`. */
export function reachOfLook({ past, busy, lookedBackAt, quietUntil, listedBy }: Looking, at: number): Reach {
  const due = busy.length > 0 ? [listedBy] : [listedBy, quietUntil];
  const isDeep = lookedBackAt === -Infinity || due.some((time) => at >= time && lookedBackAt < time);
  // The first read goes far enough down to show what is running on the machine, such as a previous request, even if pages are short.
  const rows = lookedBackAt > -Infinity ? 0 : past ? 300 : 100;
  return past
    ? { isDeep, rows, ids: isDeep ? [...busy, ...past.failedIds] : busy }
    : { isDeep, rows, ids: busy, isTop: true };
}

export function beforePost(state: Looking, sight: Sight, terms: Terms): Decision {
  const { request, at } = terms;
  const refuse = (why: Message): Decision => notSent(state, texts.notSentText(request, why, state.past));
  if (sight.read === "nothing") {
    const until = Math.min(state.until + (sight.waitedMs ?? 0), terms.totalUntil);
    return again({ ...state, until }, terms, undefined, 50);
  }
  if (sight.read === "failed") {
    const { trouble, ends } = sight;
    const over = ends ? trouble : whyTooLate(state, terms, trouble);
    return over ? refuse(over) : again(state, terms, `the panel's list cannot be read, trying again: ${trouble.what}`);
  }
  if (sight.read === "old") return at - state.goodAt > oldPagesMs ? refuse(texts.oldPages) : again(state, terms);
  if (sight.ready === "unwatched") return refuse(texts.runIsGone);
  const isFirst = state.lookedBackAt < state.listedBy;
  const isEarly = (job: Judged): boolean => isFirst || !job.isAbove || hasAny(job, state.early);
  const [working, ...others] = sight.jobs.filter(
    (job) => job.busy === "yes" || (job.busy !== undefined && isEarly(job)),
  );
  const busy = working ? [working, ...others].flatMap(idsOf) : [];
  const next: Looking = {
    ...state,
    goodAt: at,
    lookedBackAt: sight.isDeep ? sight.readAt : state.lookedBackAt,
    busy,
    freeAt: working ? at + request.timeouts.settleMs : state.freeAt,
    early: isFirst ? [...new Set([...state.early, ...busy, ...sight.jobs.filter(isPart).flatMap(idsOf)])] : state.early,
  };
  const found = state.past && whatIsFound(state.past, sight, request as IntendedRequest);
  if (found !== undefined) return typeof found === "string" ? notSent(next, found) : { state: next, action: found };
  return working ? whileBusy(next, [working, ...others], terms) : whenFree(next, sight, terms);
}

/** What a later attempt finds on the panel: a job to adopt, or a question to ask the user. Undefined if it finds nothing. */
function whatIsFound(past: Past, sight: Look, request: IntendedRequest): Action | string | undefined {
  const { jobs } = sight;
  const failed = past.failedIds;
  const adopt = (own: readonly Judged[], text: string): Action => ({ do: "adopt", why: "found", jobs: own, text });
  const former = jobsOfRows(jobs, failed);
  const changed = former.filter(
    (job) => hasNotFailed(job) || job.rows.some(({ id, state }) => !failed.includes(id) && state !== "failed"),
  );
  const [first] = changed;
  const isSame = past.doubt === undefined;
  // All failed attempts now have a different outcome. If only some of them did, it would be unknown which attempt overwrote which.
  if (isSame && first && changed.length === former.length && showsAll(former, failed) && hasNotFailed(first))
    return adopt(former, texts.runAgainText(first));
  // While one of these jobs is running, the machine is busy, so the question can wait.
  if (first && changed.every((job) => job.end !== undefined || job.busy === undefined))
    return texts.questionText(request, changed);
  const mine = jobs.filter(({ verdict }) => verdict === "mine");
  const ofMachine = [...mine, ...jobs.filter(({ fit }) => fit === "contradicted")];
  if (!sight.isComplete) {
    const maybe = [...ofMachine, ...jobs.filter(({ fit }) => fit === "unsaid")];
    return texts.unreadText(request, past, maybe);
  }
  const [only, ...more] = mine;
  if (only === undefined) return undefined;
  return isSame && more.length === 0
    ? adopt([only], texts.adoptedText(only, failed.length > 0))
    : texts.questionText(request, ofMachine, failed, past.doubt);
}

const hasNotFailed = ({ end, failedPart }: Judged): boolean => end !== "failed" || failedPart !== undefined;

function whileBusy(state: Looking, busy: readonly [Judged, ...Judged[]], terms: Terms): Decision {
  const { request, words, quietMs, at, isHeldUp } = terms;
  const [working] = busy;
  const isNever = request.timeouts.busyMs === 0;
  const over = whyTooLate(state, terms);
  if (isHeldUp && over) return notSent(state, texts.notSentText(request, over, state.past));
  if (isNever || over)
    return notSent(state, texts.busyText(request, working, words, limitOf(state, terms), state.past));
  const mayBePosted = busy.some((job) => mayBeRestore(job) || hasAny(job, state.early));
  // A failed transaction may be run again while the machine is busy, so the list is read down to it once more.
  const quietUntil = mayBePosted ? at + quietMs : Math.max(state.quietUntil, at);
  return again({ ...state, quietUntil }, terms, texts.waitingText(working, timeOfDay(state.until, terms)));
}

function whenFree(state: Looking, sight: Look, terms: Terms): Decision {
  const { request, at } = terms;
  const { past, quietUntil } = state;
  const { ready } = sight;
  const over = whyTooLate(state, terms);
  const refuse = (why: Message): Decision => notSent(state, texts.notSentText(request, why, state.past));
  if (past && state.lookedBackAt < quietUntil)
    return over
      ? refuse(over)
      : again(state, terms, quietText(past, quietUntil, terms), at < quietUntil ? undefined : 50);
  if (at < state.freeAt && !over) return again(state, terms, undefined, Math.max(50, state.freeAt - at));
  if (!ready) return { state, action: { do: "get ready" } };
  // If an earlier attempt posted a restore, the restore's first part began before the quiet time was over.
  const isLate = (job: Judged): boolean => isPart(job) && !hasAny(job, state.early);
  // After a failure that is retried, other failed jobs raise no question.
  const isAsked = (job: Judged): boolean => !(past?.failedIds.length && request.retryFailed) || hasNotFailed(job);
  const maybe = past ? sight.jobs.filter((job) => job.verdict === "maybe" && !isLate(job) && isAsked(job)) : [];
  const [first] = maybe;
  const isAwaited = (job: Judged): boolean => isPart(job) || (sight.log === "rules out" && job.fit === "unsaid");
  // Waits no longer than one quiet time, because on a busy panel there is always some row that the log may still name.
  if (first && maybe.every(isAwaited) && !over && at < quietUntil + terms.quietMs)
    return again(state, terms, `waiting to see which machine transaction ${texts.idOnRow(first.rows[0].id)} is for`);
  if (first) return notSent(state, texts.questionText(request as IntendedRequest, maybe, past?.failedIds));
  if (past?.isSearch) return notSent(state, "");
  if (past && !showsAll(sight.jobs, past.failedIds)) return refuse(texts.failureIsGone);
  if (over) return refuse(over);
  if (sight.unknownWords.length > 0) return refuse(texts.noKnownEnd(sight.unknownWords));
  if (sight.lost !== undefined) return refuse(texts.unlistedBefore(sight.lost));
  if (isStale(sight, terms)) return again(state, terms, undefined, 50);
  const forbidden = whyNotAllowed(request.target.virtualMachineId, terms.allowedMachines);
  if (forbidden !== undefined) return refuse({ what: forbidden, next: howToAllow, help: "machines" });
  return {
    state,
    action: { do: "post" },
    warnings: texts.warningsAbout(restoredSince(sight), past ? "failed" : "before"),
  };
}

/** Whether unfinished work that names no machine may be the first part of a restore, such as a stop. */
const isPart = ({ fit, whose, end }: Judged): boolean =>
  fit === "other work" && whose === "not said" && end === undefined;

/** Other restores of the machine since the mark. Somebody may have restored it while a first attempt waited; in a later attempt, all of them have failed. */
const restoredSince = ({ jobs }: Look): readonly Judged[] =>
  jobs.filter((job) => ["fits", "contradicted"].includes(job.fit) && saysRestore(job));

function quietText({ failedIds, doubt }: Past, until: number, terms: Terms): string {
  const isRetry = failedIds.length > 0;
  const what = isRetry ? "a newer restore of the machine" : "a restore that an earlier attempt may have posted";
  const skip = isRetry || doubt === "lost" ? "; to restore at once, change triggers" : "";
  return `looking for ${what}, until ${timeOfDay(until, terms)}${skip}`;
}

/** Reads again, at the latest right after the quiet time ends. */
function again(state: Looking, { at }: Terms, say?: string, withinMs?: number): Decision {
  const by = state.past && state.quietUntil > at ? state.quietUntil + 1 : undefined;
  return { state, action: { do: "read", withinMs, by }, say };
}

/** A time of day on the runner's clock. */
function timeOfDay(until: number, { at, wallTime }: Terms): string {
  // Rounded up to the next minute.
  const wall = new Date(wallTime.getTime() + until - at + 59_999);
  return `${String(wall.getHours()).padStart(2, "0")}:${String(wall.getMinutes()).padStart(2, "0")}`;
}
