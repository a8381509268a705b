import { type Contradiction, hasEnded, hasStarted, mayBeRestore } from "../rows/jobs";
import { type Row, rowsForMark } from "../rows/order";
import type { Message } from "../plain/message";
import { pointsIn } from "../rows/whose";
import { closingMs, holdUntil, isWaiting, whyOverdue } from "./limits";
import * as texts from "./messages";
import { besideRestores, idsOf, type Judged, jobsOfRows, type Seen } from "./recognise";
import {
  type Decision,
  type EndAction,
  type Following,
  type Look,
  type Named,
  notSent,
  type Sight,
  type Terms,
} from "./state";
import type { Reach } from "./view";

const nothing: Seen = { jobs: [], rows: [] };

export const beginFollowing = (by: Following["by"], at: number, how: Partial<Following> = {}): Following => ({
  ...{ is: "unlisted", by, ids: [], began: at, since: at, own: nothing, isGuess: false },
  ...how,
});

/** Ten pages of a hundred rows. */
const farRows = 1_000;

/**
 * A closing read goes down to the mark, to find rows that were listed late. If the mark is far down, only the newest part of the list and the part around the
 * restore's own rows are read.
 */
export function reachOfFollowing({ is, by, ids, own }: Following): Reach {
  if (is === "listed" || (is === "unlisted" && by === "ids")) return { isDeep: false };
  if (is === "unlisted") return { isDeep: true, ids };
  const depth = { isDeep: true, ids, rows: rowsForMark };
  return by === "POST" ? { ...depth, around: idsOf(own), mostRows: farRows } : depth;
}

/** Whether the end becomes final if a read that begins at `readAt` shows no further part. */
export const isClosing = (
  { is, since, own }: Following,
  readAt: number,
  { request }: Pick<Terms, "request">,
): boolean => is === "settling" && readAt >= since + closingMs(own, request.timeouts);

/** `adopt` rejects a row only if it belongs to another machine, restores files instead of a machine, does something else, or is already claimed. */
export function whetherNamed(state: Named, sight: Sight, { at, request, words }: Terms): Decision {
  const { id } = state;
  const refused = (why: string, trouble?: Message): Decision =>
    notSent(state, texts.notTakenText(request, id, why, trouble));
  if (sight.read === "nothing") return { state, action: { do: "read", withinMs: 50 } };
  if (sight.read !== "good") {
    return at >= state.until || sight.ends
      ? refused("the panel's list could not be read", sight.trouble)
      : { state, action: { do: "read" } };
  }
  const jobs = jobsOfRows(sight.jobs, [id]);
  const rows = jobs.flatMap((job) => job.rows);
  if (rows.length === 0) return refused("the list does not show it, or it belongs to another machine");
  if (jobs.some(({ isTaken }) => isTaken))
    return refused(
      "it belongs to another restore of this program, to an earlier run, or to an earlier request for this restore",
    );
  if (request.target.kind === "VmRestore" && rows.some(({ paths }) => paths !== undefined))
    return refused("it lists paths, so it restores files");
  const { action = "" } = rows.find((row) => row.id === id) ?? {};
  if (jobs.every(({ does }) => does === "other"))
    return refused("its action is not a restore", texts.notARestore(action, words));
  // There is no mark to compare with, so the job's start time cannot contradict the restore.
  const against = jobs.flatMap((job) => job.contradictions);
  const { recoveryPointId: own = "" } = request.target;
  const [point = ""] = rows.flatMap((row) => pointsIn(row, own));
  const unlike = rows.filter((row) => ["failed", "cancelled", "unclear"].includes(row.state));
  const text = texts.takenText(id, [
    ...against.map((one) =>
      one === "names another recovery point" ? `names recovery point ${point} instead of ${own}` : one,
    ),
    ...(jobs.some(mayBeRestore) ? [] : ["is not identified as a restore"]),
    ...unlike.map((row) => `${row.id === id ? "is" : "is in a job with transaction"} ${texts.describeRow(row)}`),
  ]);
  return { state, action: { do: "adopt", why: "named", jobs, text } };
}

export function afterPost(state: Following, sight: Sight, terms: Terms): Decision {
  const { request, answer } = terms;
  if (answer?.kind === "refused") return notSent(state, texts.refusedText(request, answer.error));
  if (sight.read === "nothing") return follow(state, terms, undefined, 50);
  if (sight.read === "good") return seen(state, sight, terms);
  // An old page proves neither that a row exists nor that it is missing.
  const { trouble, ends } = sight;
  const overdue = whyOverdue(state, terms, sight.read === "old");
  const isOver = state.isOnce ? terms.at - state.began > terms.requestTimeoutMs : overdue !== undefined;
  if (isOver || ends) return end(withoutEnd(state), { why: overdue ?? "the panel's list cannot be read", trouble });
  return follow(state, terms, trouble && `the panel's list cannot be read, trying again: ${trouble.what}`);
}

function seen(state: Following, sight: Look, terms: Terms): Decision {
  const now = shownNow(state, sight, terms);
  const { own } = now;
  const taken = takenSince(state, now);
  if (endCounts(state, now, sight, terms)) {
    const done = endedWith(now, othersAtEnd(now, sight, terms), sight);
    return { ...done, warnings: [...taken, ...meanwhile(now, sight, terms)] };
  }
  if (state.isOnce && now.is !== "settling") return end(now, { isGone: own.rows.length === 0 });
  const listedAt = state.listedAt ?? (now.is === "unlisted" ? undefined : terms.at);
  const next = { ...now, since: sinceWhen(state, now, sight, terms), listedAt };
  // An end that is first seen after a limit has passed may still settle.
  const late = now.is === "settling" && state.is !== "settling" ? undefined : whyOverdue(next, terms);
  // A guess is not stored, because a different row may be the restore.
  if (late !== undefined && now.isHeld) return end({ ...next, own: nothing }, { why: late, maybe: own.jobs });
  if (late !== undefined) return tooLong(next, late, sight, terms);
  return { ...follow(next, terms, progressText(next)), warnings: [...taken, ...unknownSince(state.own, own)] };
}

/** The state of the restore according to this read. */
function shownNow(state: Following, sight: Look, { at, request }: Terms): Following {
  const own = seenOf(sight.jobs.filter(({ verdict }) => verdict === "mine"));
  const { isGuess } = sight;
  const isAtWork = state.isAtWork || (state.by === "POST" && sight.isAtWork);
  // If the machine's log names transactions, it will also name the restore's own, perhaps only after they have ended.
  const isHeld = isGuess && (sight.log !== "says nothing" || (isAtWork && at < holdUntil(state, request)));
  const is = own.rows.length === 0 ? "unlisted" : own.end === undefined ? "listed" : "settling";
  const taken = own.rows.length === 0 ? state.taken : sight.taken;
  return { ...state, is, own, isGuess, taken, isAtWork, isHeld };
}

function endCounts(state: Following, { is, by, own, isHeld }: Following, { readAt }: Look, terms: Terms): boolean {
  if (is !== "settling" || isHeld) return false;
  const isAtOnce = by === "POST" && closingMs(own, terms.request.timeouts) === 0;
  return isAtOnce || (isClosing({ ...state, own }, readAt, terms) && !hasGrown(state.own, own));
}

/** When the current phase began. */
function sinceWhen(state: Following, { is, by, own }: Following, { jobs }: Look, terms: Terms): number {
  const { at, request, totalUntil } = terms;
  // A busy job above the mark may be the restore's first part, such as a stop.
  const isBegun = jobs.some(({ busy, isAbove, fit }) => busy !== undefined && isAbove && fit !== "contradicted");
  if (is === "unlisted" && isBegun && at < Math.min(state.began + request.timeouts.runMs, totalUntil)) return at;
  if (is === state.is && (is !== "settling" || !hasGrown(state.own, own))) return state.since;
  return is === "unlisted" && by !== "ids" ? state.began : at;
}

/** Warns only once about each transaction, because a status may contain a changing percentage. */
function unknownSince(before: Seen, own: Seen): readonly string[] {
  const unknownIn = ({ rows }: Seen): readonly Row[] => rows.filter(({ state }) => state === "unknown");
  const told = new Set(unknownIn(before).map(({ id }) => id));
  return unknownIn(own)
    .filter(({ id }) => !told.has(id))
    .map(texts.unknownStatusText);
}

function tooLong(known: Following, why: string, { jobs }: Look, { request, answer }: Terms): Decision {
  const { own, by } = known;
  const open = jobs.filter(({ verdict }) => verdict === "maybe");
  const restores = open.filter(({ fit }) => fit !== "other work");
  // A panel may use an unexpected word for a restore, so all of this machine's jobs are shown, whatever their actions.
  const others = open.filter(({ whose, does }) => whose === "this machine" || does === "unknown");
  const maybe = restores.length > 0 ? restores : by === "ids" ? [] : others;
  const isGone = own.rows.length === 0;
  const denied = answer?.kind === "denied" && isGone ? answer : undefined;
  if (denied?.mayRun === false && maybe.length === 0) return notSent(known, texts.refusedText(request, denied.error));
  const and = isGone && answer !== undefined && answer.kind !== "accepted" ? texts.andUnaccepted(answer) : "";
  return end(withoutEnd(known), { why: `${why}${and}`, maybe, isGone });
}

/** Reads again, either as soon as the end may be final, or at the usual pace. */
function follow(state: Following, { at, request }: Terms, say?: string, soonMs?: number): Decision {
  const { is, own, since, isHeld } = state;
  const closesAt = since + closingMs(own, request.timeouts);
  const isSoon = is === "settling" && !isWaiting(own) && at <= closesAt;
  const counts = isHeld ? Math.max(holdUntil(state, request), closesAt) : closesAt;
  const withinMs = soonMs ?? (isSoon ? Math.max(50, counts - at) : undefined);
  return { state, action: { do: "read", withinMs }, say };
}

/** Once the restore is complete, warns about other jobs that may have restored the machine meanwhile or, after `adopt`, about newer jobs. */
function meanwhile({ own, by }: Following, { jobs }: Look, { mark }: Terms): readonly string[] {
  const otherwise: readonly Contradiction[] = ["names another recovery point", "restores a machine"];
  // From oldest to newest.
  const last = jobs.findLastIndex(({ verdict }) => verdict === "mine");
  const isOther = ({ verdict, fit, does, whose, contradictions }: Judged, index: number): boolean =>
    mark === undefined
      ? index > last && whose === "this machine" && !contradictions.includes("restores files")
      : verdict === "maybe" &&
        ((by !== "POST" && fit === "fits" && does === "restore") ||
          contradictions.some((one) => otherwise.includes(one))) &&
        !contradictions.includes("began before this restore");
  const others = jobs.filter((job, at) => mayBeRestore(job) && isOther(job, at));
  return own.end === "complete" ? texts.warningsAbout(others, "meanwhile") : [];
}

const end = (state: Following, how: Omit<EndAction, "do" | "state">): Decision => ({
  state,
  action: { do: "end", state, ...how },
});

function endedWith(state: Following, others: readonly Judged[], { jobs, mark, isComplete }: Look): Decision {
  const { own } = state;
  const isUnsaid = own.jobs.every(({ whose }) => whose === "not said");
  // A job that may be newer must stay above the mark: if this restore has failed, the next attempt asks the user about that job.
  const mayBeNewer = ({ verdict, fit, does }: Judged): boolean =>
    verdict === "maybe" &&
    // If a job fits but its action does not name a restore, it is another part of this restore.
    ((fit === "fits" && does === "restore") || fit === "contradicted" || (fit === "unsaid" && isUnsaid));
  const last: Seen = others.length > 0 ? { ...own, jobs: [...own.jobs, ...others], end: "differs" } : own;
  const why = last.end === "differs" ? "the outcomes of its transactions differ" : undefined;
  return end({ ...state, own: { ...last, ...(isComplete && !jobs.some(mayBeNewer) && { nextMark: mark }) } }, { why });
}

/** In a later run, the other jobs that may be the restore but ended differently. After a guess, these include jobs that name no machine. */
function othersAtEnd({ by, own, isGuess }: Following, { jobs }: Look, { mark }: Terms): readonly Judged[] {
  if (by === "POST" || mark === undefined || (own.end !== "complete" && own.end !== "failed")) return [];
  const mayBeIt = ({ verdict, fit, contradictions }: Judged): boolean =>
    verdict === "maybe" && (fit === "fits" || (fit === "unsaid" && isGuess && contradictions.length === 0));
  return besideRestores(jobs.filter(mayBeIt), own.jobs).filter((job) => job.end !== own.end);
}

/** Whether a part has appeared or ended since the previous read. If so, the settle time starts again. */
function hasGrown(before: Seen, own: Seen): boolean {
  const extent = ({ rows }: Seen): number => rows.length + rows.filter(hasEnded).length;
  return extent(own) > extent(before);
}

/** Drops the end, which is not final until a later read shows that no part has followed. */
const withoutEnd = (state: Following): Following => ({ ...state, own: { jobs: state.own.jobs, rows: state.own.rows } });

function seenOf(jobs: readonly Judged[]): Seen {
  const ends = new Set(jobs.map(({ end: one, failedPart }) => one && `${one} ${failedPart ? "in part" : ""}`));
  const all = ends.has(undefined) ? undefined : ends.size <= 1 ? jobs[0]?.end : "differs";
  return { jobs, rows: jobs.flatMap(({ rows }) => rows), ...(all !== undefined && { end: all }) };
}

/** Warns once if rows are treated as this restore without proof, or if any of several rows may be the restore. */
function takenSince({ taken: before }: Following, { own, taken }: Following): readonly string[] {
  return taken === before || taken === undefined ? [] : texts.warningsAbout(own.jobs, taken);
}

function progressText({ is, own }: Following): string {
  if (is === "unlisted") return "sent, not listed yet";
  if (is === "listed") return texts.followedText(own.rows.some(hasStarted) ? "running" : "pending", own.rows);
  return texts.followedText(String(own.end), own.rows, `${isWaiting(own) ? "waiting" : "looking"} for further parts`);
}
