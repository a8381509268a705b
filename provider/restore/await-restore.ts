import { logTail } from "./telling/mask";
import type { RestorePlan } from "./terms/restore-plan";
import { isFinished, type RestoreRecord } from "./terms/record";
import { resumeRestore } from "./resume";
import type { Voice } from "./terms/result";
import type { Site } from "./site";

/** A restore that was posted without being waited for, waited for after all. */
export interface AwaitedRestore {
  readonly record: RestoreRecord;
  /** Why it has not been seen to end. Empty when it has, however it ended. */
  readonly reasons: readonly string[];
  /** The last lines of its log, when it ended badly and the log is wanted. */
  readonly tail: readonly string[];
}

/**
 * Waits for a restore that somebody else has posted and stored: above the mark of its POST, or for the transactions it is known
 * by, within its own limits. Posts nothing, and takes transactions in the name of the restore's own intent, so that in this process
 * the restore and whoever waits for it are one. A restore that this process has posted has left its place among the concurrent ones
 * taken, for whoever needs it to settle; one of an earlier run has none.
 */
export async function awaitRestore(
  site: Site,
  plan: RestorePlan,
  record: RestoreRecord,
  owner: string,
  voice: Voice,
  place: "takes one" | "has one",
): Promise<AwaitedRestore> {
  if (isFinished(record.status)) return { record, reasons: [], tail: [] };
  const result = await resumeRestore(site, { ...plan, wait: true }, record, owner, voice, place);
  if (result.kind === "not-posted") return { record, reasons: [result.reason], tail: [] };
  const { logOutput, status } = result.record;
  return {
    record: result.record,
    reasons: result.kind === "stored" && !isFinished(status) ? result.reasons : [],
    tail: logOutput === undefined || status === "complete" ? [] : logTail(logOutput, site.redact),
  };
}
