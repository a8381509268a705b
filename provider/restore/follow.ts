import { pauseMs } from "../feed/feed";
import type { Mark } from "../inputs/intent";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { masked } from "../panel/secrets";
import { earliestStamp, latestStamp, pause, secondsBetween } from "../plain/clock";
import { type Message, MessageError } from "../plain/message";
import { omitUndefined } from "../plain/plain";
import { hasEnded, hasFailed, hasStarted, mainRow, mayBeRestore } from "../rows/jobs";
import type { Row } from "../rows/order";
import { pointsIn } from "../rows/whose";
import { Finder } from "./finder";
import {
  completeLine,
  describeRow,
  differText,
  endedText,
  goneText,
  logEnd,
  notListedText,
  notSentText,
  notTakenText,
  refusedText,
  subject,
  takenText,
  unclearText,
  unfinishedText,
} from "./messages";
import { type Found, type FoundByIds, jobsOfIds } from "./own-jobs";
import type { RestoreResult, ResultSoFar } from "./result";
import { readWithRetry, type Run } from "./session";
import { withPlace } from "./turn";
import { type Seen, seenOf, unlikeAbove, watch, type Watched } from "./watch";

/** What is known about a restore apart from its rows. */
export interface Extras {
  readonly adopted: boolean;
  /** The restore is searched for above this mark; an attempt after a failure searches there too. */
  readonly mark?: Mark | undefined;
  readonly warnings: readonly string[];
  /** Called once there is a candidate, or nobody waits for one any more. */
  readonly leave: () => void;
  /** What an earlier run stored. It stays while no row of the restore is seen. */
  readonly stored?: RestoreRecord;
}

/** Follows a restore that is or may be on the panel. With `wait: false` it returns once the restore is listed. */
export async function follow(run: Run, found: Found, extras: Extras): Promise<ResultSoFar> {
  const { session, request, reporter } = run;
  const others = [...extras.warnings];
  let taken: string | undefined;
  const warn = (text: string): void => {
    if (others.includes(text)) return;
    others.push(text);
    reporter.warn(text);
  };
  // More may be taken with each read: it is said once, and stored as it is in the end.
  const onTaken = (text: string | undefined): void => {
    if (taken === undefined && text !== undefined) reporter.warn(text);
    taken = text;
  };
  const allWarnings = (): readonly string[] => [...others, ...(taken === undefined ? [] : [taken])];
  const record = (seen: Seen, log?: string): RestoreRecord =>
    extras.stored !== undefined && seen.rows.length === 0
      ? { ...extras.stored, warnings: allWarnings() }
      : recordOf(run, seen, found, { ...extras, warnings: allWarnings() }, log);
  let resolveListed: (seen: Seen) => void = () => undefined;
  const listed = new Promise<Seen>((resolve) => (resolveListed = resolve));
  let told = "";
  const onListed = (seen: Seen): void => {
    const ids = seen.rows.map(({ id }) => id);
    if (ids.join() !== told) reporter.event?.({ did: "listed", ids, isOver: seen.end !== undefined });
    told = ids.join();
    // A restore that has already ended when it is first seen is returned once its end counts.
    if (seen.end === undefined) resolveListed(seen);
  };
  const ended = watch(run, found, { onListed, onFound: extras.leave, onTaken, warn, mark: extras.mark })
    .then(async (watched): Promise<RestoreResult> => {
      const { seen, refused } = watched;
      if (refused) return { kind: "not sent", reason: refusedText(request, refused) };
      if (seen.rows.length === 0 && found.by !== "ids") session.unlisted.lost ??= subject(request);
      const log = await readLog(run, seen);
      const made = record(seen, log);
      if (made.status === "complete") {
        reporter.progress(completeLine(made));
        return { kind: "good", record: made };
      }
      const tail = log === undefined ? [] : logTail(log, session.redact);
      if (tail.length > 0) reporter.warn(logEnd(tail));
      return { kind: "stored", record: made, reasons: [whyNotComplete(run, made, watched)] };
    })
    .finally(extras.leave);
  if (request.wait) return { result: await ended };
  const first = await Promise.race([ended, listed]);
  return "kind" in first ? { result: first } : { result: { kind: "good", record: record(first) }, ended };
}

function whyNotComplete(
  { request, session: { words } }: Run,
  record: RestoreRecord,
  { seen, why = "", trouble, maybe = [], panelTime, isGone = false }: Watched,
): string {
  if (isFinished(record.status)) return endedText(request, record);
  if (seen.end === "differs") return differText(request, seen.jobs, panelTime);
  if (seen.end === "unclear") return unclearText(request, seen, words, panelTime);
  if (isGone && record.transactionIds.length > 0) return goneText(request, record);
  return record.transactionIds.length === 0
    ? notListedText(request, maybe, panelTime, why, trouble)
    : unfinishedText(request, record, why, trouble);
}

/** Waits for what an earlier run stored as unfinished, or looks for it. Posts nothing. */
export function resume(run: Run, record: RestoreRecord): Promise<ResultSoFar> {
  const { transactionIds: ids, mark, adopted, warnings } = record;
  run.session.claims.claim(ids, run.owner);
  const extras = { adopted, warnings, mark, leave: () => undefined, stored: record };
  const found: Found = ids.length > 0 || mark === undefined ? knownAs(run, record) : { by: "mark", mark };
  return withPlace(run.session.places, "at once", () => follow(run, found, extras));
}

/** A transaction that `adopt` names is a record's own only where the record was taken by it. */
function knownAs({ request: { adopt } }: Run, { transactionIds: ids, adopted, isGuess }: RestoreRecord): FoundByIds {
  return { by: "ids", ids, named: adopted ? adopt : undefined, isGuess };
}

const notShown = "the list does not show it, or it is of another machine";

/**
 * Takes a transaction that a person names, even if points or words disagree: only a row of another machine, of files where a machine is restored, of other
 * work, or a known row is refused. `mark`: if it has failed, the next attempt searches above it, because any other restore since then may be newer.
 */
export async function take(run: Run, id: string, mark: Mark | undefined): Promise<ResultSoFar> {
  const { session, owner, request, reporter } = run;
  const refused = (why: string, trouble?: Message): ResultSoFar => notSentAs(notTakenText(request, id, why, trouble));
  const found = await findJobs(run, { by: "ids", ids: [id] });
  if ("trouble" in found) return refused("it could not be looked for", found.trouble);
  const { rows, contradictions, isGuess } = found;
  if (rows.length === 0) return refused(notShown);
  if (!isGuess && rows.some((row) => session.claims.isClaimedByAnother(row.id, owner)))
    return refused("it is another restore of this program, or was this restore before triggers changed");
  if (request.target.kind === "VmRestore" && rows.some((row) => row.paths !== undefined))
    return refused("it lists paths, so it restores files");
  const other = rows.every((row) => row.does === "other") ? rows[0]?.action : undefined;
  if (other !== undefined) return refused(`its action is "${other}", which is no restore`);
  const ids = rows.map((row) => row.id);
  session.claims.claim(ids, owner);
  // No mark: an early start does not contradict a row that a person names.
  const against = contradictions.filter((one) => /^(names|lists|restores) /.test(one));
  const isSaid = rows.some((row) => mayBeRestore(row));
  const isDoubted = (row: Row): boolean => ["failed", "cancelled", "unclear"].includes(row.state);
  const text = takenText(id, [
    ...against,
    ...(isSaid ? [] : ["does not say that it is a restore"]),
    ...rows.filter(isDoubted).map((row) => `is of a job with transaction ${describeRow(row)}`),
  ]);
  reporter.warn(text);
  reporter.event?.({ did: "adopted", why: "named", ids, points: pointsOf(rows, run) });
  const extras = { adopted: true, mark: mark ?? found.closed, warnings: [text], leave: () => undefined };
  return withPlace(session.places, "at once", () => follow(run, { by: "ids", ids, named: id }, extras));
}

/**
 * Reads the status; here too, an end counts only if a later read shows no further part. A record that the list does not show is returned as it is.
 * Only `up` looks for a restore that was never listed.
 */
export async function refresh(run: Run, record: RestoreRecord): Promise<RestoreRecord> {
  const { clock } = run.session;
  const known = knownAs(run, record);
  if (known.ids.length === 0) return record;
  const { settleMs, listedMs } = run.request.timeouts;
  const until = clock.now() + settleMs + listedMs;
  for (let before = 0; ;) {
    const found = await findJobs(run, known);
    if ("trouble" in found) throw new MessageError(found.trouble);
    const { rows, end } = found;
    const { isGuess = false } = record;
    if (rows.length === 0) return record;
    const ended = rows.filter((row) => hasEnded(row));
    const isGrown = end !== undefined && rows.length + ended.length !== before;
    const isWaiting = end !== undefined && ended.length < rows.length;
    if ((!isGrown && !isWaiting) || clock.now() > until) {
      const others = await unlikeAbove(run, { ...found, isGuess }, record.mark);
      if ("trouble" in others) throw new MessageError(others.trouble);
      const jobs = [...found.jobs, ...others];
      if (others.length > 0) run.reporter.warn(differText(run.request, jobs, clock.wallTime().getTime()));
      if (end === "unclear") {
        run.reporter.warn(unclearText(run.request, found, run.session.words, clock.wallTime().getTime()));
        return record;
      }
      const seen = isGrown || others.length > 0 ? { jobs: [], rows } : found;
      return recordOf(run, { ...seen, isGuess }, known, record);
    }
    before = rows.length + ended.length;
    await pause(clock, isWaiting ? Math.max(settleMs, pauseMs(0, run.session.feed.access.random)) : settleMs);
  }
}

interface FoundJobs extends Seen {
  readonly contradictions: readonly string[];
  /** Another restore may have taken them wrongly. */
  readonly isGuess: boolean;
}

async function findJobs(run: Run, known: FoundByIds): Promise<FoundJobs | { readonly trouble: Message }> {
  const mark = { panel: run.session.client.address, ended: [] };
  const finder = new Finder(run, { mark, base: { around: known.ids } });
  const read = await readWithRetry(run, finder.view.depth("deep"));
  if ("trouble" in read) return { trouble: read.trouble };
  const { jobs } = await finder.look(read, "without the log");
  const own = jobsOfIds(jobs, known);
  return {
    ...seenOf(own),
    contradictions: own.flatMap(({ contradictions }) => contradictions),
    isGuess: own.some((job) => finder.isGuess(job, jobs)),
    closed: read.mark,
  };
}

export function notSent(run: Run, why: Message): ResultSoFar {
  return notSentAs(notSentText(run.request, why));
}

export function notSentAs(reason: string): ResultSoFar {
  return { result: { kind: "not sent", reason } };
}

export function pointsOf(rows: readonly Row[], { request, session }: Run): readonly string[] {
  const { recoveryPointId = "0" } = request.target;
  const named = new Set(rows.flatMap((row) => pointsIn(row, recoveryPointId)));
  return [...named].map((id) => (id === recoveryPointId ? id : masked(id, session.redact)));
}

// The record

function recordOf(
  { request }: Run,
  { jobs, rows, end, closed, isGuess }: Seen,
  found: Found,
  { adopted, mark, warnings }: Pick<Extras, "adopted" | "mark" | "warnings">,
  logOutput?: string,
): RestoreRecord {
  const isOver = isFinished(end);
  const unfinished = rows.some((row) => hasStarted(row)) ? "running" : "pending";
  const status = isOver ? end : rows.length === 0 && found.by !== "ids" ? "sent" : unfinished;
  const isShown = (id: string): boolean => rows.some((row) => row.id === id);
  // What came since a person named it is asked about by the next attempt.
  const isNamed = request.adopt !== undefined && isShown(request.adopt);
  const later = status === "failed" && !isNamed ? (closed ?? mark) : mark;
  const restored = status === "failed" ? jobs.find(({ failedPart }) => failedPart) : undefined;
  const failedPart = restored?.failedPart;
  const main = mainRow((restored?.rows ?? rows).filter((row) => row !== failedPart));
  return omitUndefined<RestoreRecord>({
    adopted,
    warnings,
    status,
    transactionId: main?.id,
    transactionIds: [
      ...(found.by === "ids" ? found.ids.filter((id) => !isShown(id)) : []),
      ...rows.map(({ id }) => id),
    ],
    action: main?.action,
    ...restoreTimes(rows, isOver),
    logOutput,
    failedPart: failedPart?.id,
    isGuess: (isGuess === true && !isOver) || undefined,
    mark: status === "complete" || status === "cancelled" ? undefined : later,
  });
}

/** When a restore was requested, began and ended, by the panel's own stamps. Unknown times are undefined. */
type RestoreTimes = {
  readonly [Name in "requestedAt" | "startedAt" | "finishedAt" | "queuedSeconds" | "durationSeconds"]:
    RestoreRecord[Name] | undefined;
};

/**
 * Both durations are differences of two stamps of the panel, so the runner's clock and zone do not matter. `durationSeconds` includes the queue: for
 * that long the machine was not recovered. A row is not touched again after its end, so its last update may serve as a missing end stamp.
 */
function restoreTimes(rows: readonly Row[], isOver: boolean): RestoreTimes {
  const requestedAt = earliestStamp(rows.map((row) => row.createdAt));
  const startedAt = earliestStamp(rows.map((row) => row.startedAt));
  const finishedAt = isOver ? latestStamp(rows.map((row) => row.finishedAt ?? row.updatedAt)) : undefined;
  const queuedSeconds = secondsBetween(requestedAt, startedAt);
  return {
    requestedAt,
    startedAt,
    finishedAt,
    queuedSeconds,
    durationSeconds: secondsBetween(requestedAt, finishedAt),
  };
}

/** The log of the part that failed, else of the restore itself. A log is optional. */
async function readLog({ session, request }: Run, { rows, end }: Seen): Promise<string | undefined> {
  if (end === undefined || request.captureLog === "never") return undefined;
  if (end === "complete" && request.captureLog !== "always") return undefined;
  const { client } = session;
  const row = rows.find((one) => hasFailed(one)) ?? mainRow(rows);
  if (row === undefined) return undefined;
  try {
    let pages = 0;
    for await (const { items } of client.walkTransactions({ perPage: 10, detailed: true })) {
      const found = items.find(({ id }) => id === row.id);
      if (found) return found.logOutput;
      if (items.length === 0 || ++pages >= mostLogPages) return undefined;
    }
  } catch {
    return undefined;
  }
  return undefined;
}

/** A log further down is not worth the requests. */
const mostLogPages = 100;
