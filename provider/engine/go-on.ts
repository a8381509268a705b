import type { RestorePlan } from "../inputs/intent";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { messageOf } from "../plain/text";
import { endedBadly, logEnd, subject, transactionOf } from "../restore/messages";
import type { RestoreResult } from "../restore/result";
import { resumeRestore, takeTransaction } from "../restore/resume";
import type { Sought } from "../rows/searches";
import { onRow, tidily } from "./engine-log";
import type { ProviderProcess } from "./process";

/** A restore that is in the state already: what is wanted of it, what is known of it, and by whom and where it is spoken of. */
export interface StoredRestore {
  readonly plan: RestorePlan;
  readonly record: RestoreRecord;
  readonly owner: string;
  readonly urn: string | undefined;
  /** Others that were posted and not seen listed: what stands above the mark of a later one is that one's. */
  readonly others?: readonly Sought[];
}

/** What becomes of a restore that is in the state already. Posts nothing. */
export async function goOn(
  here: ProviderProcess,
  { plan, record, owner, urn, others = [] }: StoredRestore,
): Promise<RestoreResult> {
  // One of several that nothing told apart is another answer than all of them: to name it is the way out of not knowing.
  const isDecided = record.transactionIds.length === 1 || isFinished(record.status);
  const namesAnother =
    plan.adopt !== "auto" && plan.adopt !== "never" && !(isDecided && record.transactionIds.includes(plan.adopt))
      ? plan.adopt
      : undefined;
  if (record.status === "complete") return { kind: "good", record };
  const speak = onRow(here.voice, urn);
  if (namesAnother !== undefined) {
    return tidily(here.voice, () => takeTransaction(here.site(urn), plan, namesAnother, owner, speak));
  }
  if (isFinished(record.status)) {
    if (record.logOutput !== undefined && plan.captureLog !== "never") await showAgain(here, record.logOutput, urn);
    return { kind: "stored", record, reasons: endedBadly(plan, record) };
  }
  const isKnown = record.status !== "unknown" || record.transactionIds.length > 0;
  if (!plan.wait && isKnown) return { kind: "good", record };
  return tidily(here.voice, () => {
    const site = here.site(urn);
    for (const other of others) site.searches.posted(other);
    return resumeRestore(site, plan, record, owner, speak);
  });
}

/** The same for one that the engine creates anew although it is in the state: its record is never lost, whatever else is wrong. */
export async function goOnKept(here: ProviderProcess, stored: StoredRestore): Promise<RestoreResult> {
  const { plan, record } = stored;
  const again = (reason: string): RestoreResult => ({ kind: "stored", record, reasons: [reason] });
  try {
    const result = await goOn(here, stored);
    return result.kind === "not-posted" ? again(result.reason) : result;
  } catch (error) {
    return again(
      `${subject(plan)} (${transactionOf(record)}, ${record.status}) stays as it is stored, and nothing was sent: ${messageOf(error)}`,
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
