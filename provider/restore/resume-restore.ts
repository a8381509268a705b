import type { RestoreRequest } from "../inputs/intent";
import { type FinishedStatus, isFinished, type RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import type { TransactionId } from "../panel/types";
import { mayBeRestore } from "../rows/words";
import { namesAnotherPoint } from "../rows/match-transactions";
import { isMark } from "../rows/mark";
import { whoseRow } from "../rows/whose-row";
import { followRestore, restoreProgressText } from "./follow-restore";
import {
  endOf,
  type RestoreProgress,
  hasSeenNothing,
  isAnotherRestore,
  type Search,
  ownChains,
  type Underway,
  newProgress,
} from "./restore-progress";
import { restorePoller, type RestorePollerRules } from "./restore-poller";
import { readMachineLog, reachesDownTo } from "./machine-log";
import { subject, describeTransaction, unfinishedReason, warningText, withoutFullStop } from "./messages";
import { buildRecord } from "./build-record";
import { progressSink, type ResultSoFar, type RestoreResult, type Reporter, type Warning } from "./result";
import { type PanelSession, totalUntilOf } from "./panel-session";
import { poll, type PollHooks } from "./poll";
import { withPlace } from "./turn";

/** Waits on for a restore that an earlier run stored as unfinished, or looks for it. Posts nothing. */
export async function resumeRestore(
  session: PanelSession,
  request: RestoreRequest,
  record: RestoreRecord,
  owner: string,
  predecessorIds: readonly string[],
  reporter: Reporter,
): Promise<ResultSoFar> {
  const { address } = session.client;
  if (record.postedAfter && record.postedAfter.panel !== address) {
    return { result: postedToAnotherPanel(request, record, record.postedAfter.panel, address) };
  }
  // A record without a panel belongs to this one once the panel shows its transactions. Without transactions, its panel stays unknown.
  const postedAfter = record.postedAfter ?? (record.transactionIds.length > 0 ? { panel: address } : undefined);
  return withPlace(session.places, "at once", () => {
    const start = progressFromRecord(record, predecessorIds, session.clock.now(), totalUntilOf(session.clock, request));
    return followRestore(session, request, start, {
      adopted: record.adopted,
      postedAfter,
      reporter,
      owner,
      ...(record.transactionIds.length > 0 && { storedRecord: record }),
    });
  });
}

/** Takes a transaction, named by its id, as this restore. Posts nothing. */
export async function takeTransaction(
  session: PanelSession,
  request: RestoreRequest,
  id: TransactionId,
  owner: string,
  reporter: Reporter,
): Promise<ResultSoFar> {
  const notTaken = (why: string): ResultSoFar => ({
    result: {
      kind: "not-posted",
      reason: `${subject(request)}: transaction ${id}, which adopt names, ${why} Nothing was sent.`,
    },
  });
  if (session.claims.isClaimedByAnother(id, owner)) {
    // Most often it is the very same restore: its triggers were changed while adopt still named the former transaction.
    return notTaken(
      "is another restore of this program already, or was this one before triggers changed. To restore again, take adopt out.",
    );
  }
  const taken: Warning = { kind: "taken", transactionId: id };
  const start: Underway = {
    ...newProgress({ kind: "known" }, session.clock.now(), totalUntilOf(session.clock, request)),
    ids: [id],
    warnings: [taken],
  };
  const met = await pollProgress(session, request.target, start, owner, { until: "met", timeouts: request.timeouts });
  const end = endOf(met);
  if (end?.how === "not-this-machine") return notTaken("belongs to another machine.");
  if (hasSeenNothing(met)) {
    const why = end?.how === "access-denied" ? end.error.message : (met.lastTrouble ?? "the list does not show it");
    return notTaken(`was not found: ${withoutFullStop(why)}.`);
  }
  if (met.ids.some((each) => session.claims.isClaimedByAnother(each, owner))) {
    return notTaken(`is part of ${met.ids.join(", ")}, which is another restore of this program already.`);
  }
  if (await isRuledOutByLog(session, request, met)) {
    return notTaken(
      `names no machine, and the log of machine ${request.target.virtualMachineId} does not name it: it belongs to another machine.`,
    );
  }
  const { result, ended } = await withPlace(session.places, "at once", () =>
    followRestore(session, request, start, {
      adopted: true,
      postedAfter: { panel: session.client.address },
      reporter,
      owner,
    }),
  );
  // An id left in the program replaces a restore that somebody waits for, and must not do so silently.
  reporter.warn(warningText(taken));
  const going = ended ? { ended } : {};
  if (result.kind === "not-posted") return { result, ...going };
  const { record } = result;
  const odd: readonly Warning[] = [
    ...(mayBeRestore(record, session.words)
      ? []
      : [{ kind: "other action" as const, transactionId: id, action: record.action ?? "" }]),
    ...(ownChains(met).some((chain) => namesAnotherPoint(chain, request.target))
      ? [{ kind: "other point" as const, transactionId: id }]
      : []),
  ];
  const texts = odd.map(warningText);
  for (const text of texts) reporter.warn(text);
  return { result: { ...result, record: { ...record, warnings: [...record.warnings, ...texts] } }, ...going };
}

/** True if the machine's own log would name the transaction and does not. If it cannot be read, the person who named the id is believed. */
async function isRuledOutByLog(
  session: PanelSession,
  { target }: RestoreRequest,
  state: RestoreProgress,
): Promise<boolean> {
  const rows = ownChains(state).flat();
  if (rows.some((row) => whoseRow(row, target.virtualMachineId) === "this machine")) return false;
  try {
    const log = await readMachineLog(session, target.virtualMachineId, rows);
    const isNamed = rows.some((row) => log.transactionIds.includes(row.id));
    return !isNamed && rows.every((row) => reachesDownTo(log, row));
  } catch {
    return false;
  }
}

/** How a restore that somebody else follows has ended, or why that is not known. */
export type FollowedEnd = { readonly status: FinishedStatus } | { readonly reason: string };

/** Waits, by its ids and within its own limits, for a restore that an earlier run left under way. Posts nothing and takes nothing. */
export async function followById(
  session: PanelSession,
  request: Pick<RestoreRequest, "name" | "target" | "timeouts">,
  transactionIds: readonly string[],
  owner: string,
  reporter: Reporter,
): Promise<FollowedEnd> {
  const { target, timeouts } = request;
  const start: Underway = {
    ...newProgress({ kind: "known" }, session.clock.now(), totalUntilOf(session.clock, request)),
    ids: transactionIds,
  };
  const rules = { until: "ended", timeouts } as const;
  const progressText = { ...restoreProgressText, say: progressSink(reporter) };
  const state = await pollProgress(session, target, start, owner, rules, progressText);
  const end = endOf(state);
  if (end?.how === "ended") return { status: end.status };
  const record = buildRecord(state, session, { adopted: false, postedAfter: undefined });
  const asked: RestoreRequest = { ...request, wait: true, adopt: "auto", retryFailed: true, captureLog: "never" };
  return { reason: end ? unfinishedReason(asked, record, state, end) : `${subject(request)} has not ended` };
}

/**
 * Reads the present status of a restore stored as unfinished. Waits for nothing, and throws if the panel cannot be read. An unconfirmed
 * restore stays so: in a refresh, nobody knows whose the other transactions are.
 */
export async function refreshRecord(
  session: PanelSession,
  request: RestoreRequest,
  record: RestoreRecord,
  owner: string,
): Promise<RestoreRecord> {
  const { postedAfter, transactionIds } = record;
  if (isFinished(record.status) || transactionIds.length === 0) return record;
  if (postedAfter && postedAfter.panel !== session.client.address) return record;
  const ms = session.requestTimeoutMs;
  const start = progressFromRecord(record, [], session.clock.now(), undefined);
  const timeouts = { ...request.timeouts, listedMs: ms, queueMs: ms, runMs: ms };
  const state = await pollProgress(session, request.target, start, owner, { until: "one read", timeouts });
  const end = endOf(state);
  if (end?.how === "access-denied") throw statusUnreadable(request, end.error.message);
  if (end?.how === "limit" && state.readFarEnough !== true)
    throw statusUnreadable(request, state.lastTrouble ?? "no answer");
  if (hasSeenNothing(state) || state.ids.some((id) => session.claims.isClaimedByAnother(id, owner))) return record;
  if (!isAnotherRestore(state)) session.claims.claim(state.ids, owner);
  return buildRecord(state, session, {
    adopted: record.adopted,
    postedAfter: postedAfter ?? { panel: session.client.address },
  });
}

function statusUnreadable(request: RestoreRequest, why: string): Error {
  return new Error(`${subject(request)}: its status could not be read: ${why}`);
}

function pollProgress(
  session: PanelSession,
  target: RestoreRequest["target"],
  start: Underway,
  owner: string,
  rules: Pick<RestorePollerRules, "until" | "timeouts">,
  progressText?: PollHooks<RestoreProgress>["progressText"],
): Promise<RestoreProgress> {
  const isClaimed = (id: string): boolean => session.claims.isClaimedByAnother(id, owner);
  const poller = restorePoller({ target, words: session.words, isClaimed, ...rules });
  return poll(session, poller, start, { machine: target.virtualMachineId, ...(progressText && { progressText }) });
}

/** Follows known transactions; else looks for them above the mark taken before the POST. */
function progressFromRecord(
  record: RestoreRecord,
  predecessorIds: readonly string[],
  now: number,
  totalUntil: number | undefined,
): Underway {
  const { status, transactionIds, postedAfter, warnings } = record;
  const isKnown = transactionIds.length > 0 || postedAfter === undefined || !isMark(postedAfter);
  const search: Search = isKnown ? { kind: "known" } : { kind: "unconfirmed", mark: postedAfter, predecessorIds };
  return {
    ...newProgress(search, now, totalUntil),
    posted: status === "unknown" ? "unknown" : "accepted",
    ids: transactionIds,
    warnings: warnings.map((text) => ({ kind: "stored", text })),
  };
}

function postedToAnotherPanel(
  request: RestoreRequest,
  record: RestoreRecord,
  postedTo: string,
  configured: string,
): RestoreResult {
  return {
    kind: "stored",
    record,
    reasons: [
      `${subject(request)} was posted to the panel ${postedTo} and has not been seen to end there (${describeTransaction(record)}, ${record.status}), but the ` +
        `configured panel is ${configured}. Nothing was sent. Point the configuration back to wait for it, or change triggers to restore on this panel.`,
    ],
  };
}

/** A restore that was posted with `wait: false` and is waited for after all. */
export interface AwaitedRestore {
  readonly record: RestoreRecord;
  /** The reasons why its end is not known. Empty if it has ended, however it ended. */
  readonly reasons: readonly string[];
  /** The last lines of its log, if it ended badly and the log is wanted. */
  readonly tail: readonly string[];
}

/**
 * Waits, within its own limits, for a restore that another resource posted and stored. Posts nothing. It takes transactions in the name of
 * the restore's own intent, so both are one owner in this process. `ended` is given if this process follows the restore already.
 */
export async function awaitRestore(
  session: PanelSession,
  request: RestoreRequest,
  record: RestoreRecord,
  owner: string,
  reporter: Reporter,
  ended: Promise<RestoreResult> | undefined,
): Promise<AwaitedRestore> {
  if (isFinished(record.status)) return { record, reasons: [], tail: [] };
  const result = ended
    ? await ended
    : (await resumeRestore(session, { ...request, wait: true }, record, owner, [], reporter)).result;
  if (result.kind === "not-posted") return { record, reasons: [result.reason], tail: [] };
  const { logOutput, status, warnings } = result.record;
  // The one that follows it is silent once it is listed.
  if (ended) for (const warning of warnings) if (!record.warnings.includes(warning)) reporter.warn(warning);
  return {
    record: result.record,
    reasons: result.kind === "stored" && !isFinished(status) ? result.reasons : [],
    tail: logOutput === undefined || status === "complete" ? [] : logTail(logOutput, session.redact),
  };
}
