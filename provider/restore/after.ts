import { type Contradiction, hasEnded, hasStarted, saysRestore } from "../rows/jobs";
import { type Row, rowsForMark } from "../rows/order";
import type { Message } from "../plain/message";
import { pointsIn } from "../rows/whose";
import { closingMs, holdUntil, isWaiting, whyOver, whyOverdue } from "./limits";
import * as texts from "./messages";
import { besideRestores, type Judged, jobsOfRows } from "./recognise";
import {
  type Decision,
  type Ended,
  type Following,
  type Look,
  type Named,
  notSent,
  type Seen,
  type Sight,
  type Terms,
} from "./state";
import type { Reach } from "./view";

const nothing: Seen = { jobs: [], rows: [] };

export const beginFollowing = (by: Following["by"], at: number, how: Partial<Following> = {}): Following => ({
  ...{ is: "posted", by, ids: [], began: at, since: at, own: nothing, guess: "none" },
  ...how,
});

/** Rows that were listed late are further down. A closing read goes down to the mark, or, where that is far, around its own rows. */
export function reachOfFollowing({ is, by, ids, own, isFar }: Following): Reach {
  if (is === "listed" || (is === "posted" && by === "ids")) return { isDeep: false };
  if (is === "settling" && isFar && by === "POST") return { isDeep: false, around: own.rows.map(({ id }) => id) };
  return { isDeep: true, ids, ...(is === "settling" && { rows: rowsForMark }) };
}

/** An end counts once a read that begins this late shows no further part. */
export const isClosing = ({ is, since, own }: Following, readAt: number, { request }: Terms): boolean =>
  is === "settling" && readAt >= since + closingMs(own, request.timeouts);

const ofContent: ReadonlySet<Contradiction> = new Set([
  ...(["names another machine, or this machine by another name", "names another recovery point"] as const),
  ...(["lists other paths", "restores files", "restores a machine"] as const),
]);

/** Refused is only a row of another machine, of files where a machine is restored, of other work, or a known row. */
export function whetherNamed(state: Named, sight: Sight, { at, request }: Terms): Decision {
  const { id } = state;
  const refused = (why: string, trouble?: Message): Decision =>
    notSent(state, texts.notTakenText(request, id, why, trouble));
  if (sight.read === "nothing") return { state, action: { do: "read", withinMs: 50 } };
  if (sight.read !== "good") {
    const { trouble, ends } = sight.read === "failed" ? sight : { trouble: undefined, ends: false };
    return at >= state.until || ends
      ? refused("it could not be looked for", trouble)
      : { state, action: { do: "read" } };
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
  const against = jobs.flatMap((job) => job.contradictions).filter((one) => ofContent.has(one));
  const [point = ""] = rows.flatMap((row) => pointsIn(row, request.target.recoveryPointId ?? ""));
  const unlike = rows.filter((row) => ["failed", "cancelled", "unclear"].includes(row.state));
  const text = texts.takenText(id, [
    ...against.map((one) => (one === "names another recovery point" ? `names recovery point ${point}` : one)),
    ...(jobs.some(({ mayBeRestore }) => mayBeRestore) ? [] : ["does not say that it is a restore"]),
    ...unlike.map((row) => `is of a job with transaction ${texts.describeRow(row)}`),
  ]);
  return { state, action: { do: "adopt", why: "named", jobs, text } };
}

export function afterPost(state: Following, sight: Sight, terms: Terms): Decision {
  const { request, requestTimeoutMs, at, answer } = terms;
  const { isOnce, began } = state;
  if (sight.read === "nothing") return follow(state, terms, undefined, 50);
  if (answer?.kind === "refused") return notSent(state, texts.refusedText(request, answer.error));
  const { settleMs, listedMs } = request.timeouts;
  const isOnceOver = isOnce && at - began > settleMs + listedMs;
  const overdue = isOnce ? (isOnceOver ? "it has not ended" : undefined) : whyOverdue(state, terms);
  if (sight.read === "good") return seen(state, sight, overdue, terms);
  // An old page proves neither that a row exists nor that it does not.
  const { trouble, ends } = sight.read === "failed" ? sight : { trouble: undefined, ends: false };
  const isOver = isOnce ? at - began > requestTimeoutMs : overdue !== undefined;
  if (isOver || ends)
    return end(state, { own: unsettled(state.own), why: overdue ?? "the panel's list cannot be read", trouble });
  return follow(state, terms, trouble && `the panel's list cannot be read, trying again: ${trouble.what}`);
}

function seen(state: Following, sight: Look, overdue: string | undefined, terms: Terms): Decision {
  const { request, at } = terms;
  const { by, began } = state;
  const own = seenOf(sight.jobs.filter(({ verdict }) => verdict === "mine"));
  const isGrown = extent(own) > extent(state.own);
  const { guess } = sight;
  // After the next POST, a new row may be of that restore.
  const isAtWork = state.isAtWork || (by === "POST" && sight.isLatest && sight.isAtWork);
  // Where the machine's log names transactions, it will name the restore's own, perhaps at its end.
  const isHeld = guess !== "none" && (sight.logNames || (isAtWork && at < holdUntil(state, request)));
  const known: Following = { ...state, own, guess, isAtWork, isHeld, isFar: sight.isFar };
  const is = own.rows.length === 0 ? "posted" : own.end === undefined ? "listed" : "settling";
  const isAtOnce = by === "POST" && is === "settling" && closingMs(own, request.timeouts) === 0;
  const isSettled = is === "settling" && isClosing({ ...state, own }, sight.readAt, terms) && !isGrown;
  if (!isHeld && (isSettled || isAtOnce)) {
    const done = settled(known, othersAtEnd(known, sight, terms), sight);
    return { ...end(known, done), warnings: meanwhile(own, sight) };
  }
  if (state.isOnce && is !== "settling") return end(known, { own, isGone: own.rows.length === 0 });
  // The first part of a restore may be a stop: while the stop runs, the restore is not missing.
  const isBegun =
    is === "posted" &&
    at < Math.min(began + request.timeouts.runMs, terms.totalUntil) &&
    sight.jobs.some((job) => job.isBusy && job.isAbove);
  const isMoved = !isBegun && (is !== state.is || (is === "settling" && isGrown));
  // Two copies of the list, in turn, change the state with each read, and so do rows that turn up all the time.
  const isRepeated = isMoved && (is === "listed" || state.is === "settling");
  const late = !isRepeated ? undefined : state.isOnce ? overdue : whyOver("run", state.listedAt, terms);
  if (late !== undefined) return end(known, { own: unsettled(own), why: late });
  const isOver = !isBegun && !isMoved && overdue !== undefined;
  // What is held is not stored, because the restore may be another row.
  if (isOver && isHeld) return end(known, { own: nothing, why: overdue, maybe: own.jobs });
  if (isOver) return tooLong(known, overdue, sight, terms);
  const since = !isBegun && !isMoved ? state.since : is === "posted" && !isBegun && by !== "ids" ? began : at;
  const listedAt = state.listedAt ?? (is === "posted" ? undefined : at);
  const next: Following = { ...known, is, since, listedAt };
  // Once for each transaction: a word may count its percentage.
  const isUnknown = (row: Row): boolean => row.state === "unknown";
  const told = new Set(state.own.rows.filter(isUnknown).map(({ id }) => id));
  const warnings = own.rows.filter((row) => isUnknown(row) && !told.has(row.id)).map(texts.unknownStatusText);
  return { ...follow(next, terms, progressText(next)), warnings };
}

function tooLong(known: Following, why: string, { jobs }: Look, { request, answer }: Terms): Decision {
  const { own, by } = known;
  const open = jobs.filter(({ verdict }) => verdict === "maybe");
  const restores = open.filter(({ fit }) => fit !== "other work");
  // A panel may have an unexpected word for a restore, so jobs of this machine with any action are shown.
  const others = open.filter(({ whose }) => whose === "this machine");
  const maybe = restores.length > 0 ? restores : by === "ids" ? [] : others;
  const isGone = own.rows.length === 0;
  const denied = answer?.kind === "denied" && isGone ? answer : undefined;
  if (denied?.mayRun === false && maybe.length === 0) return notSent(known, texts.refusedText(request, denied.error));
  const lost = answer?.kind === "unknown" && isGone ? texts.andLost(answer.error) : "";
  const and = denied ? texts.andDenied(denied.words) : lost;
  return end(known, { own: unsettled(own), why: `${why}${and}`, maybe, isGone });
}

/** Reads once more: as soon as an end may count, else at the usual pace. */
function follow(state: Following, { at, request }: Terms, say?: string, soonMs?: number): Decision {
  const { is, own, since, isHeld } = state;
  const closesAt = since + closingMs(own, request.timeouts);
  const isSoon = is === "settling" && !isWaiting(own) && at <= closesAt;
  const counts = isHeld ? Math.max(holdUntil(state, request), closesAt) : closesAt;
  const withinMs = soonMs ?? (isSoon ? Math.max(50, counts - at) : undefined);
  return { state, action: { do: "read", withinMs }, say };
}

/** What has restored the machine otherwise at the same time, beside a restore that is complete. */
function meanwhile(own: Seen, { jobs, panelTime }: Look): readonly string[] {
  const otherwise: readonly Contradiction[] = ["names another recovery point", "restores a machine"];
  const others = jobs.filter(
    (job) =>
      job.verdict === "maybe" &&
      job.rows.some(saysRestore) &&
      job.contradictions.some((one) => otherwise.includes(one)) &&
      !job.contradictions.includes("began before this restore"),
  );
  return own.end === "complete" && others.length > 0 ? [texts.meanwhileText(others, panelTime)] : [];
}

const end = (state: Following, ended: Ended): Decision => ({ state, action: { do: "end", ...ended } });

function settled({ own, by }: Following, others: readonly Judged[], { jobs, mark, isComplete }: Look): Ended {
  const isUnsaid = own.jobs.every(({ whose }) => whose === "not said");
  // Behind a failure, the next attempt asks about it.
  const mayBeNewer = ({ verdict, fit, rows }: Judged): boolean =>
    verdict === "maybe" &&
    // Beside a row that the answer named, what says nothing is a part of it.
    ((fit === "fits" && (by !== "POST" || rows.some(saysRestore))) ||
      fit === "contradicted" ||
      (fit === "unsaid" && isUnsaid));
  const last: Seen = others.length > 0 ? { ...own, jobs: [...own.jobs, ...others], end: "differs" } : own;
  const why = last.end === "differs" ? "its transactions have not ended alike" : undefined;
  return { own: { ...last, ...(isComplete && !jobs.some(mayBeNewer) && { closed: mark }) }, why };
}

/** What a later run may have taken in place of its own: all that fits has to end alike. Beside a guess, rows that name no machine fit as well. */
function othersAtEnd({ by, own, guess }: Following, { jobs }: Look, { mark }: Terms): readonly Judged[] {
  if (by === "POST" || mark === undefined || (own.end !== "complete" && own.end !== "failed")) return [];
  const mayBeIt = ({ verdict, fit, contradictions }: Judged): boolean =>
    verdict === "maybe" && (fit === "fits" || (fit === "unsaid" && guess !== "none" && contradictions.length === 0));
  return besideRestores(jobs.filter(mayBeIt), own.jobs).filter((job) => job.end !== own.end);
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
  return mine.length === 0 || taken === undefined ? undefined : texts.guessText(taken, mine, panelTime);
}

function progressText({ is, own }: Following): string {
  if (is === "posted") return "sent, not listed yet";
  if (is === "listed") return texts.followedText(own.rows.some(hasStarted) ? "running" : "pending", own.rows);
  return texts.followedText(String(own.end), own.rows, `${isWaiting(own) ? "waiting" : "looking"} for further parts`);
}
