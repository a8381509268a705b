import type { RestoreRequest } from "../inputs/intent";
import { isFinished, isUnconfirmed, type RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { errorMessage } from "../plain/text";
import { endedBadlyReasons, logEnd, unconfirmedNeverAdopted, subject, describeTransaction } from "../restore/messages";
import { resumeRestore, takeTransaction } from "../restore/resume-restore";
import type { ResultSoFar } from "../restore/result";
import { rowReporter, flushingLog } from "./engine-log";
import type { ProviderProcess } from "./process";

/** A restore that is in the state already: what is wanted of it, what is known of it, and by whom and where it is spoken of. */
export interface StoredRestore {
  readonly request: RestoreRequest;
  readonly record: RestoreRecord;
  readonly owner: string;
  readonly urn: string | undefined;
  /** The transactions that the restore before it has now. */
  readonly predecessorIds: readonly string[];
}

/** What becomes of a restore that is in the state already. Posts nothing. */
export async function continueStored(
  providerProcess: ProviderProcess,
  { request, record, owner, urn, predecessorIds }: StoredRestore,
): Promise<ResultSoFar> {
  if (record.status === "complete") return { result: { kind: "good", record } };
  const reporter = rowReporter(providerProcess.engineLog, urn);
  const { adopt } = request;
  // One of several that nothing told apart is another answer than all of them: to name it is the way out of not knowing.
  const isDecided = record.transactionIds.length === 1 || isFinished(record.status);
  if (adopt !== "auto" && adopt !== "never" && !(isDecided && record.transactionIds.includes(adopt))) {
    return flushingLog(providerProcess.engineLog, () =>
      takeTransaction(providerProcess.session(urn), request, adopt, owner, reporter),
    );
  }
  if (isFinished(record.status)) {
    if (record.logOutput !== undefined && request.captureLog !== "never")
      await showLogAgain(providerProcess, record.logOutput, urn);
    return { result: { kind: "stored", record, reasons: endedBadlyReasons(request, record) } };
  }
  if (adopt === "never" && isUnconfirmed(record)) {
    return { result: { kind: "stored", record, reasons: [unconfirmedNeverAdopted(request)] } };
  }
  if (!request.wait && !isUnconfirmed(record)) return { result: { kind: "good", record } };
  return flushingLog(providerProcess.engineLog, () =>
    resumeRestore(providerProcess.session(urn), request, record, owner, predecessorIds, reporter),
  );
}

/** The same for one that the engine creates anew although it is in the state: its record is never lost, whatever else is wrong. */
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
 * The end of a stored log, shown once more. The panel's password may be among its lines, so where the settings do not tell what to
 * look for, nothing is shown. Needs no connection.
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
