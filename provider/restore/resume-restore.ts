import type { RestoreRequest } from "../inputs/intent";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { isMark } from "../rows/mark";
import { followRestore, pollProgress } from "./follow-restore";
import { hasSeenNothing, type Search, type Underway, newProgress } from "./restore-progress";
import { subject, describeTransaction } from "./messages";
import { buildRecord } from "./build-record";
import type { ResultSoFar, RestoreResult } from "./result";
import type { PanelSession, RestoreRun } from "./panel-session";
import { withPlace } from "./turn";

/** Waits on for a restore that an earlier run stored as unfinished, or looks for it. Posts nothing. */
export async function resumeRestore(
  run: RestoreRun,
  record: RestoreRecord,
  predecessorIds: readonly string[],
): Promise<ResultSoFar> {
  const { session, request } = run;
  const { address } = session.client;
  if (record.postedAfter && record.postedAfter.panel !== address) {
    const reason =
      `${subject(request)} was posted to the panel ${record.postedAfter.panel} and has not been seen to end there (${describeTransaction(record)}, ${record.status}), but the ` +
      `configured panel is ${address}. Nothing was sent. Point the configuration back to wait for it, or change triggers to restore on this panel.`;
    return { result: { kind: "stored", record, reasons: [reason] } };
  }
  // A record without a panel belongs to this one once the panel shows its transactions. Without transactions, its panel stays unknown.
  const isKnown = record.transactionIds.length > 0;
  const postedAfter = record.postedAfter ?? (isKnown ? { panel: address } : undefined);
  return withPlace(session.places, "at once", () =>
    followRestore(run, progressFromRecord(record, predecessorIds, session.clock.now()), {
      adopted: record.adopted,
      postedAfter,
      ...(isKnown && { storedRecord: record }),
    }),
  );
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
  const timeouts = { ...request.timeouts, listedMs: ms, queueMs: ms, runMs: ms };
  const run = { session, request: { ...request, timeouts }, owner, totalUntil: undefined };
  const state = await pollProgress(run, progressFromRecord(record, [], session.clock.now()), "one read");
  const { end } = state;
  const unreadable =
    end.how === "access-denied"
      ? end.error.message
      : end.how === "limit" && state.readFarEnough !== true
        ? (state.lastTrouble ?? "no answer")
        : undefined;
  if (unreadable !== undefined) throw new Error(`${subject(request)}: its status could not be read: ${unreadable}`);
  if (hasSeenNothing(state) || state.ids.some((id) => session.claims.isClaimedByAnother(id, owner))) return record;
  if (end.how !== "not-this-machine") session.claims.claim(state.ids, owner);
  return buildRecord(state, session, {
    adopted: record.adopted,
    postedAfter: postedAfter ?? { panel: session.client.address },
  });
}

/** Follows known transactions; else looks for them above the mark taken before the POST. */
function progressFromRecord(record: RestoreRecord, predecessorIds: readonly string[], now: number): Underway {
  const { status, transactionIds, postedAfter, warnings } = record;
  const isKnown = transactionIds.length > 0 || postedAfter === undefined || !isMark(postedAfter);
  const search: Search = isKnown ? { kind: "known" } : { kind: "unconfirmed", mark: postedAfter, predecessorIds };
  return {
    ...newProgress(search, now),
    posted: status === "unknown" ? "unknown" : "accepted",
    ids: transactionIds,
    warnings: warnings.map((text) => ({ kind: "stored", text })),
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
  run: RestoreRun,
  record: RestoreRecord,
  ended: Promise<RestoreResult> | undefined,
): Promise<AwaitedRestore> {
  const { session, request, reporter } = run;
  if (isFinished(record.status)) return { record, reasons: [], tail: [] };
  const result = ended
    ? await ended
    : (await resumeRestore({ ...run, request: { ...request, wait: true } }, record, [])).result;
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
