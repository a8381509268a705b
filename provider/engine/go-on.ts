import type { RestoreRequest } from "../inputs/intent";
import { isFinished, isUnconfirmed, type RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { errorMessage } from "../plain/text";
import { endedBadlyReasons, logEnd, unconfirmedNeverAdopted, subject, describeTransaction } from "../restore/messages";
import { resumeRestore, takeTransaction } from "../restore/resume-restore";
import type { ResultSoFar } from "../restore/result";
import { onRow, tidily } from "./engine-log";
import type { ProviderProcess } from "./process";

/** A restore that is in the state already: what is wanted of it, what is known of it, and by whom and where it is spoken of. */
export interface RestoreInState {
  readonly plan: RestoreRequest;
  readonly record: RestoreRecord;
  readonly owner: string;
  readonly urn: string | undefined;
  /** The restore before it was sent again since its intent was made. */
  readonly isSentAnew: boolean;
}

/** What becomes of a restore that is in the state already. Posts nothing. */
export async function goOn(
  here: ProviderProcess,
  { plan, record, owner, urn, isSentAnew }: RestoreInState,
): Promise<ResultSoFar> {
  if (record.status === "complete") return { result: { kind: "good", record } };
  const speak = onRow(here.voice, urn);
  const { adopt } = plan;
  // One of several that nothing told apart is another answer than all of them: to name it is the way out of not knowing.
  const isDecided = record.transactionIds.length === 1 || isFinished(record.status);
  if (adopt !== "auto" && adopt !== "never" && !(isDecided && record.transactionIds.includes(adopt))) {
    return tidily(here.voice, () => takeTransaction(here.site(urn), plan, adopt, owner, speak));
  }
  if (isFinished(record.status)) {
    if (record.logOutput !== undefined && plan.captureLog !== "never") await showAgain(here, record.logOutput, urn);
    return { result: { kind: "stored", record, reasons: endedBadlyReasons(plan, record) } };
  }
  if (adopt === "never" && isUnconfirmed(record)) {
    return { result: { kind: "stored", record, reasons: [unconfirmedNeverAdopted(plan)] } };
  }
  if (!plan.wait && !isUnconfirmed(record)) return { result: { kind: "good", record } };
  return tidily(here.voice, () => resumeRestore(here.site(urn), plan, record, owner, isSentAnew, speak));
}

/** The same for one that the engine creates anew although it is in the state: its record is never lost, whatever else is wrong. */
export async function goOnKept(here: ProviderProcess, stored: RestoreInState): Promise<ResultSoFar> {
  const { plan, record } = stored;
  const again = (reason: string): ResultSoFar => ({ result: { kind: "stored", record, reasons: [reason] } });
  try {
    const done = await goOn(here, stored);
    return done.result.kind === "not-posted" ? again(done.result.reason) : done;
  } catch (error) {
    return again(
      `${subject(plan)} (${describeTransaction(record)}, ${record.status}) stays as it is stored, and nothing was sent: ${errorMessage(error)}`,
    );
  }
}

/**
 * The end of a stored log, shown once more. The panel's password may be among its lines, so where the settings do not tell what to
 * look for, nothing is shown. Needs no connection.
 */
async function showAgain(here: ProviderProcess, log: string, urn: string | undefined): Promise<void> {
  try {
    const tail = logTail(log, here.site(urn).redact);
    if (tail.length > 0) onRow(here.voice, urn).warn(logEnd(tail));
  } catch {
    return;
  }
  await here.voice.settled();
}
