import { hasEnded, hasStarted } from "../rows/jobs";
import { rowsForMark } from "../rows/order";
import { closingMs, holdUntil, isWaiting, whyOver, whyOverdue } from "./limits";
import {
  andDenied,
  appearedText,
  describeRow,
  followedText,
  notTakenText,
  refusedText,
  severalText,
  takenText,
  unknownStatusText,
  unsaidText,
} from "./messages";
import { besideRestores, idsOf, type Judged, jobsOfRows } from "./recognise";
import type { Action, Decision, Ended, Following, Look, Named, Now, Reach, Seen, Sight, Terms } from "./state";

/** What is decided after the POST, of a transaction that a person names, and in a refresh. */

const nothing: Seen = { jobs: [], rows: [] };

export function beginFollowing(by: Following["by"], at: number, how: Partial<Following> = {}): Following {
  return {
    is: "posted",
    by,
    ids: [],
    isOnce: false,
    began: at,
    since: at,
    listedAt: undefined,
    own: nothing,
    guess: "none",
    isHeld: false,
    isAtWork: false,
    isFar: false,
    endedAbove: undefined,
    ...how,
  };
}

/**
 * Rows that were listed late are further down, and only two states wait for rows. A closing read goes down to the mark where that is not far, else to what
 * is new and to the rows around the restore's own rows.
 */
export function reachOfFollowing({ is, by, ids, own, isFar }: Following): Reach {
  if (is === "listed" || (is === "posted" && by === "ids")) return { isDeep: false };
  if (is === "settling" && isFar && by === "POST") return { isDeep: false, around: own.rows.map(({ id }) => id) };
  return { isDeep: true, ids, ...(is === "settling" && { rows: rowsForMark }) };
}

/** An end counts once a read that begins this late shows no further part. */
export const isClosing = ({ is, since, own }: Following, readAt: number, { request }: Terms): boolean =>
  is === "settling" && readAt >= since + closingMs(own, request.timeouts);

// A transaction that a person names

/**
 * Takes it even if points or words disagree: only a row of another machine, of files where a machine is restored, of other work, or a known row is
 * refused.
 */
export function whetherNamed(state: Named, sight: Sight, now: Now, terms: Terms): Decision {
  const { id } = state;
  const { request } = terms;
  const refused = (why: string): Decision => ({ state, action: because(notTakenText(request, id, why)) });
  if (sight.read === "nothing") return { state, action: { do: "read", withinMs: 50 } };
  if (sight.read !== "good") {
    const isOver = now.at >= state.until || (sight.read === "failed" && sight.ends);
    if (!isOver) return { state, action: { do: "read" } };
    const trouble = sight.read === "failed" ? sight.trouble : undefined;
    return { state, action: because(notTakenText(request, id, "it could not be looked for", trouble)) };
  }
  const jobs = jobsOfRows(sight.jobs, [id]);
  const rows = jobs.flatMap((job) => job.rows);
  if (rows.length === 0) return refused("the list does not show it, or it is of another machine");
  if (jobs.some(({ isTaken }) => isTaken))
    return refused("it is another restore of this program, or was this restore before triggers changed");
  if (request.target.kind === "VmRestore" && rows.some(({ paths }) => paths !== undefined))
    return refused("it lists paths, so it restores files");
  if (jobs.every(({ isOtherWork }) => isOtherWork))
    return refused(`its action is "${rows[0]?.action ?? ""}", which is no restore`);
  // No mark: an early start does not contradict a row that a person names.
  const against = jobs.flatMap((job) => job.contradictions).filter((one) => /^(names|lists|restores) /.test(one));
  const unlike = rows.filter((row) => ["failed", "cancelled", "unclear"].includes(row.state));
  const text = takenText(id, [
    ...against,
    ...(jobs.some(({ mayBeRestore }) => mayBeRestore) ? [] : ["does not say that it is a restore"]),
    ...unlike.map((row) => `is of a job with transaction ${describeRow(row)}`),
  ]);
  return { state, action: { do: "adopt", why: "named", jobs, text } };
}

const because = (reason: string): Action => ({ do: "not sent", reason });

// After the POST

export function afterPost(state: Following, sight: Sight, now: Now, terms: Terms): Decision {
  const { request, requestTimeoutMs } = terms;
  const { isOnce, began } = state;
  if (sight.read === "nothing") return follow(state, now, terms, undefined, 50);
  if (now.answer?.kind === "refused") return { state, action: because(refusedText(request, now.answer.error)) };
  const { settleMs, listedMs } = request.timeouts;
  const isOnceOver = isOnce && now.at - began > settleMs + listedMs;
  const overdue = isOnce ? (isOnceOver ? "it has not ended" : undefined) : whyOverdue(state, now, terms);
  if (sight.read === "good") return seen(state, sight, overdue, now, terms);
  // An old page proves neither that a row exists nor that it does not.
  const trouble = sight.read === "failed" ? sight.trouble : undefined;
  const isOver = isOnce ? now.at - began > requestTimeoutMs : overdue !== undefined;
  if (isOver || (sight.read === "failed" && sight.ends))
    return end(state, { own: unsettled(state.own), why: overdue ?? "the panel's list cannot be read", trouble });
  return follow(state, now, terms, trouble && `the panel's list cannot be read, trying again: ${trouble.what}`);
}

function seen(state: Following, sight: Look, overdue: string | undefined, now: Now, terms: Terms): Decision {
  const { request } = terms;
  const { by } = state;
  const own = seenOf(sight.jobs.filter(({ verdict }) => verdict === "mine"));
  const isGrown = extent(own) > extent(state.own);
  const { guess } = sight;
  // After the next POST, a new row may be of that restore.
  const isAtWork = state.isAtWork || (by === "POST" && sight.isLatest && sight.isAtWork);
  // Where the machine's log names transactions, it will name the restore's own, perhaps at its end.
  const isHeld = guess !== "none" && (sight.logNames || (isAtWork && now.at < holdUntil(state, request)));
  const known: Following = { ...state, own, guess, isAtWork, isHeld, isFar: sight.isFar };
  const is = own.rows.length === 0 ? "posted" : own.end === undefined ? "listed" : "settling";
  const isAtOnce = by === "POST" && is === "settling" && closingMs(own, request.timeouts) === 0;
  const isSettled = is === "settling" && isClosing({ ...state, own }, sight.readAt, terms) && !isGrown;
  if (!isHeld && (isSettled || isAtOnce)) {
    const others = by === "POST" ? sinceEnded(known, sight) : unlike(known, sight, terms);
    // What turned up may belong to a restore that was just posted, and has no candidate yet.
    if (others.length === 0 || !sight.isPlaceTaken) return end(known, settled(known, others, sight));
  }
  if (state.isOnce && is !== "settling") return end(known, { own, isGone: own.rows.length === 0 });
  return goOn(known, is, { before: state, isGrown, overdue }, sight, now, terms);
}

interface Change {
  readonly before: Following;
  readonly isGrown: boolean;
  readonly overdue: string | undefined;
}

/** Waits on, unless a limit has passed. */
function goOn(
  known: Following,
  is: Following["is"],
  { before, isGrown, overdue }: Change,
  sight: Look,
  now: Now,
  terms: Terms,
): Decision {
  const { own, by, began, isHeld } = known;
  // The first part of a restore may be a stop: while the stop runs, the restore is not missing.
  const isBegun =
    is === "posted" &&
    now.at < Math.min(began + terms.request.timeouts.runMs, terms.totalUntil) &&
    sight.jobs.some((job) => job.isBusy && job.isAbove);
  const isMoved = !isBegun && (is !== before.is || (is === "settling" && isGrown));
  // Two copies of the list, in turn, change the state with each read, and so do rows that turn up all the time.
  const isRepeated = isMoved && (is === "listed" || before.is === "settling");
  const late = !isRepeated ? undefined : known.isOnce ? overdue : whyOver("run", known.listedAt, now, terms);
  if (late !== undefined) return end(known, { own: unsettled(own), why: late });
  const isOver = !isBegun && !isMoved && overdue !== undefined;
  // What is held is not stored, because the restore may be another row.
  if (isOver && isHeld) return end(known, { own: nothing, why: overdue, maybe: own.jobs });
  if (isOver) return tooLong(known, overdue, sight, now, terms);
  const since = !isBegun && !isMoved ? known.since : is === "posted" && !isBegun && by !== "ids" ? began : now.at;
  const next: Following = {
    ...known,
    is,
    since,
    listedAt: known.listedAt ?? (is === "posted" ? undefined : now.at),
    endedAbove: isMoved && before.is !== "settling" ? (sight.topBefore ?? terms.mark) : known.endedAbove,
  };
  const warnings = own.rows.filter(({ state }) => state === "unknown").map(unknownStatusText);
  return { ...follow(next, now, terms, progressText(next)), warnings };
}

function tooLong(known: Following, why: string, { jobs }: Look, now: Now, terms: Terms): Decision {
  const { own, by } = known;
  const open = jobs.filter(({ verdict }) => verdict === "maybe");
  const restores = open.filter(({ fit }) => fit !== "other work");
  // A panel may have an unexpected word for a restore, so jobs of this machine with any action are shown.
  const others = open.filter(({ whose }) => whose === "this machine");
  const maybe = restores.length > 0 ? restores : by === "ids" ? [] : others;
  const isGone = own.rows.length === 0;
  const denied = now.answer?.kind === "denied" && isGone ? now.answer : undefined;
  if (denied?.mayRun === false && maybe.length === 0)
    return { state: known, action: because(refusedText(terms.request, denied.error)) };
  return end(known, { own: unsettled(own), why: `${why}${denied ? andDenied(denied.words) : ""}`, maybe, isGone });
}

/** Reads once more: as soon as an end may count, else at the usual pace. */
function follow(state: Following, { at }: Now, { request }: Terms, say?: string, soonMs?: number): Decision {
  const { is, own, since, isHeld } = state;
  const closesAt = since + closingMs(own, request.timeouts);
  const isSoon = is === "settling" && !isWaiting(own) && at <= closesAt;
  const counts = isHeld ? Math.max(holdUntil(state, request), closesAt) : closesAt;
  const withinMs = soonMs ?? (isSoon ? Math.max(50, counts - at) : undefined);
  return { state, action: { do: "read", withinMs }, say };
}

const end = (state: Following, ended: Ended): Decision => ({ state, action: { do: "end", ...ended } });

function settled({ own }: Following, others: readonly Judged[], { top: closed }: Look): Ended {
  const last: Seen = others.length > 0 ? { ...own, jobs: [...own.jobs, ...others], end: "differs" } : own;
  const why = last.end === "differs" ? "its transactions have not ended alike" : undefined;
  return { own: { ...last, closed }, why };
}

/**
 * What may be a newer restore, because the next attempt searches above it: another restore of this machine, and whatever turned up in the settle
 * time.
 */
function sinceEnded(known: Following, sight: Look): readonly Judged[] {
  const isNew = (job: Judged): boolean =>
    idsOf(job).some((id) => sight.sinceEnd.has(id) && !known.own.rows.some((row) => row.id === id));
  const isOther = (job: Judged): boolean => job.fit === "contradicted" || isNew(job);
  return known.own.end === "failed" ? notAlike(known, sight).filter(isOther) : [];
}

/**
 * What is known by its ids may be a part of its restore, and another job above its mark another part, or a newer restore: these are the jobs that have
 * not ended alike. What a person names with `adopt` ends as it ends: a next attempt asks about what came since.
 */
function unlike(known: Following, sight: Look, { mark }: Terms): readonly Judged[] {
  return mark === undefined ? [] : notAlike(known, sight);
}

/**
 * A complete restore needs all that fits to be complete; beside a guess, rows that name no machine fit as well. A failed restore is attempted again, unless
 * anything may be a newer restore: rows that name no machine only where its own rows name none.
 */
function notAlike({ own, guess }: Following, { jobs }: Look): readonly Judged[] {
  const open = jobs.filter(({ verdict }) => verdict === "maybe");
  const of = (...fits: readonly Judged["fit"][]): readonly Judged[] => open.filter(({ fit }) => fits.includes(fit));
  const isUnsaid = own.jobs.every(({ whose }) => whose === "not said");
  const unsaid = of("unsaid");
  const asGood =
    guess === "none" ? of("fits") : [...of("fits"), ...unsaid.filter((job) => job.contradictions.length === 0)];
  const maybe = isUnsaid ? of("fits", "contradicted", "unsaid") : of("fits", "contradicted");
  const others = own.end === "complete" ? asGood : own.end === "failed" ? maybe : [];
  return besideRestores(others, own.jobs).filter((job) => job.end !== own.end);
}

/** Every part that turns up, and every end of a part, begins the settle time anew. */
const extent = ({ rows }: Seen): number => rows.length + rows.filter(hasEnded).length;

/** Without its end: an end counts once a later read has shown no further part. */
const unsettled = ({ jobs, rows }: Seen): Seen => ({ jobs, rows });

function seenOf(jobs: readonly Judged[]): Seen {
  const ends = new Set(jobs.map(({ end: one, failedPart }) => one && `${one} ${failedPart ? "in part" : ""}`));
  const all = ends.has(undefined) ? undefined : ends.size <= 1 ? jobs[0]?.end : "differs";
  return { jobs, rows: jobs.flatMap(({ rows }) => rows), ...(all !== undefined && { end: all }) };
}

/** Which rows were taken although nothing says that they are this restore, or which of several. */
export function takenWarning({ jobs, taken, panelTime }: Look): string | undefined {
  const mine = jobs.filter(({ verdict }) => verdict === "mine");
  if (mine.length === 0 || taken === undefined) return undefined;
  return { unsaid: unsaidText, several: severalText, appeared: appearedText }[taken](mine, panelTime);
}

function progressText({ is, own }: Following): string {
  if (is === "posted") return "sent, not listed yet";
  if (is === "listed") return followedText(own.rows.some(hasStarted) ? "running" : "pending", own.rows);
  return followedText(String(own.end), own.rows, `${isWaiting(own) ? "waiting" : "looking"} for further parts`);
}
