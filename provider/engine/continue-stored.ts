import type { RestoreRequest } from "../inputs/intent";
import { isFinished, isUnconfirmed, type RestoreRecord } from "../inputs/record";
import { namedTransaction } from "../inputs/read-values";
import { logTail } from "../panel/mask";
import { errorMessage } from "../plain/text";
import {
  adoptWithoutEffect,
  endedBadlyReason,
  logEnd,
  unconfirmedNeverAdopted,
  subject,
  describeTransaction,
} from "../restore/messages";
import { beginRun } from "../restore/panel-session";
import { resumeRestore } from "../restore/resume-restore";
import type { ResultSoFar } from "../restore/result";
import { takeTransaction } from "../restore/take-transaction";
import { rowReporter, flushingLog } from "./engine-log";
import type { ProviderProcess } from "./process";

/** A restore that the state already holds: its request, its record, its owner and its row. */
export interface StoredRestore {
  readonly request: RestoreRequest;
  readonly record: RestoreRecord;
  readonly owner: string;
  readonly urn: string | undefined;
  /** The transactions that the restore before it has now. */
  readonly predecessorIds: readonly string[];
}

/** Carries on with a restore that the state already holds. Posts nothing. */
export async function continueStored(
  providerProcess: ProviderProcess,
  { request, record, owner, urn, predecessorIds }: StoredRestore,
): Promise<ResultSoFar> {
  const reporter = rowReporter(providerProcess.engineLog, urn);
  const { adopt } = request;
  const named = namedTransaction(adopt);
  if (record.status === "complete") {
    if (named !== undefined && !record.transactionIds.includes(named)) {
      reporter.warn(adoptWithoutEffect(record, named));
      await providerProcess.engineLog.flushed();
    }
    return { result: { kind: "good", record } };
  }
  // If several transactions fit, naming one of them is an answer; if one is stored, naming it again is not.
  const isDecided = record.transactionIds.length === 1 || isFinished(record.status);
  if (named !== undefined) {
    const session = providerProcess.session(urn);
    // Under another address of its panel a restore is taken anew by the id that it already has.
    const isHere = record.postedAfter === undefined || record.postedAfter.panel === session.client.address;
    if (!(isHere && isDecided && record.transactionIds.includes(named))) {
      return flushingLog(providerProcess.engineLog, () =>
        takeTransaction(beginRun(session, request, owner, reporter), named),
      );
    }
  }
  if (isFinished(record.status)) {
    if (record.logOutput !== undefined && request.captureLog !== "never")
      await showLogAgain(providerProcess, record.logOutput, urn);
    return { result: { kind: "stored", record, reasons: [endedBadlyReason(request, record)] } };
  }
  if (adopt === "never" && isUnconfirmed(record)) {
    return { result: { kind: "stored", record, reasons: [unconfirmedNeverAdopted(request)] } };
  }
  if (!request.wait && !isUnconfirmed(record)) return { result: { kind: "good", record } };
  return flushingLog(providerProcess.engineLog, () =>
    resumeRestore(beginRun(providerProcess.session(urn), request, owner, reporter), record, predecessorIds),
  );
}

/** The same for a restore that the engine creates again. Its stored record is never lost, whatever goes wrong. */
export async function continueRecreated(providerProcess: ProviderProcess, stored: StoredRestore): Promise<ResultSoFar> {
  const { request, record } = stored;
  const unchanged = (reason: string): ResultSoFar => ({ result: { kind: "stored", record, reasons: [reason] } });
  try {
    const done = await continueStored(providerProcess, stored);
    return done.result.kind === "not-posted" ? unchanged(done.result.reason) : done;
  } catch (error) {
    return unchanged(
      `${subject(request)} (${describeTransaction(record)}, ${record.status}) stays as it is stored, and nothing was sent: ${errorMessage(error)}`,
    );
  }
}

/**
 * Shows the end of a stored log again. It may contain the panel's password, so nothing is shown when the settings that
 * tell it cannot be read. Needs no connection.
 */
async function showLogAgain(providerProcess: ProviderProcess, log: string, urn: string | undefined): Promise<void> {
  try {
    const tail = logTail(log, providerProcess.session(urn).redact);
    if (tail.length > 0) rowReporter(providerProcess.engineLog, urn).warn(logEnd(tail));
  } catch {
    return;
  }
  await providerProcess.engineLog.flushed();
}
