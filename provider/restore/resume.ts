import type { TransactionId } from "../panel/terms/types";
import { following, lookingFrom, type Follow } from "./waits/follow";
import { followHolding, hasSeenNothing } from "./follow-restore";
import { subject, transactionOf, withoutStop } from "./telling/messages";
import { recordOf } from "./outcome";
import type { RestorePlan } from "./terms/restore-plan";
import { isFinished, type RestoreRecord } from "./terms/record";
import type { RestoreResult, Voice } from "./terms/result";
import type { Site } from "./site";
import type { Slot } from "./turn/slots";
import { waitFor } from "./waits/wait";
import { mayBeRestore } from "./rows/row-words";

/**
 * Goes on waiting for a restore that an earlier run has stored as unfinished. Posts nothing. It takes a place among the concurrent
 * ones, unless the caller knows that it has one already.
 */
export async function resumeRestore(
  site: Site,
  plan: RestorePlan,
  record: RestoreRecord,
  owner: string,
  voice: Voice,
  place: () => Slot = () => site.slots.occupy(),
): Promise<RestoreResult> {
  const postedAfter = record.postedAfter ?? { panel: site.client.address, firstPageIds: [] };
  if (postedAfter.panel !== site.client.address) return elsewhere(plan, record, postedAfter.panel, site.client.address);
  const totalUntil = plan.timeouts.totalMs === undefined ? undefined : site.clock.now() + plan.timeouts.totalMs;
  const followed = await followHolding(place(), site, plan, resumed(record, site.clock.now(), totalUntil), {
    adopted: record.adopted,
    postedAfter,
    until: plan.wait ? "ended" : "listed",
    voice,
    owner,
    ...(record.transactionIds.length > 0 && { known: record }),
  });
  return followed.result;
}

/** Takes a transaction, named by its id, as this restore. Posts nothing. */
export async function takeTransaction(
  site: Site,
  plan: RestorePlan,
  id: TransactionId,
  owner: string,
  voice: Voice,
): Promise<RestoreResult> {
  const notTaken = (why: string): RestoreResult => ({
    kind: "not-posted",
    reason: `${subject(plan)}: transaction ${id}, which adopt names, ${why} Nothing was sent.`,
  });
  if (site.claims.isClaimedByAnother(id, owner)) {
    // Most often the very same restore: its triggers were changed while adopt still named what it was then.
    return notTaken(
      "is another restore of this program already, or was this one before triggers changed. To restore anew, take adopt out.",
    );
  }
  const totalUntil = plan.timeouts.totalMs === undefined ? undefined : site.clock.now() + plan.timeouts.totalMs;
  const taken = `took transaction ${id} as this restore, because adopt names it, and posted nothing`;
  const start: Follow = {
    ...lookingFrom(site.clock.now(), totalUntil),
    ids: [id],
    warnings: [taken],
  };
  const { result, state } = await followHolding(site.slots.occupy(), site, plan, start, {
    adopted: true,
    postedAfter: { panel: site.client.address, firstPageIds: [] },
    until: plan.wait ? "ended" : "listed",
    voice,
    owner,
  });
  if (state.end?.how === "not-this-machine") return notTaken("belongs to another machine.");
  if (state.end?.how === "not-this-point") return notTaken("is of another recovery point.");
  if (state.ids.some((each) => site.claims.isClaimedByAnother(each, owner))) {
    return notTaken(`is part of ${state.ids.join(", ")}, which is another restore of this program already.`);
  }
  if (hasSeenNothing(state)) {
    const why =
      state.end?.how === "turned-away" ? state.end.error.message : (state.lastTrouble ?? "the list does not show it");
    return notTaken(`was not found: ${withoutStop(why)}.`);
  }
  // An id that was left in the program takes the place of a restore that somebody waits for, and must not do so silently.
  voice.warn(taken);
  if (result.kind === "not-posted" || mayBeRestore(result.record, site.words)) return result;
  const doubt = `transaction ${id}, which adopt names, is a ${result.record.action ?? ""}, which is no restore by its name`;
  voice.warn(doubt);
  return { ...result, record: { ...result.record, warnings: [...result.record.warnings, doubt] } };
}

/** One look at a restore that is stored as unfinished: what its status is now. Waits for nothing, and throws when the panel cannot be read. */
export async function lookAgain(
  site: Site,
  plan: RestorePlan,
  record: RestoreRecord,
  owner: string,
): Promise<RestoreRecord> {
  if (isFinished(record.status)) return record;
  const postedAfter = record.postedAfter;
  if (postedAfter && postedAfter.panel !== site.client.address) return record;
  let lastError: Error | undefined;
  const look = following({
    target: plan.target,
    words: site.words,
    timeouts: {
      ...plan.timeouts,
      listedMs: site.requestTimeoutMs,
      queueMs: site.requestTimeoutMs,
      runMs: site.requestTimeoutMs,
    },
    identifiers: site.identifiers,
    isClaimed: (id) => site.claims.isClaimedByAnother(id, owner),
    until: "look",
  });
  const state = await waitFor(
    site,
    {
      ...look,
      step(before, event, now) {
        if (event.type === "trouble") lastError = event.error;
        // The list can be read again: what was wrong before says nothing about the restore.
        if (event.type === "tick") lastError = undefined;
        return look.step(before, event, now);
      },
    },
    resumed(record, site.clock.now(), undefined),
    { machine: plan.target.virtualMachineId },
  );
  if (state.end?.how === "turned-away" || (state.end?.how === "limit" && lastError)) {
    throw new Error(`${subject(plan)}: its status could not be read: ${(lastError ?? new Error("no answer")).message}`);
  }
  if (hasSeenNothing(state)) return record;
  return recordOf(state, site.words, {
    adopted: record.adopted,
    postedAfter: postedAfter ?? { panel: site.client.address, firstPageIds: [] },
    warnings: state.warnings,
  });
}

/** With its transactions known, they are followed; else they are looked for above the mark taken before the POST. */
function resumed(record: RestoreRecord, now: number, totalUntil: number | undefined): Follow {
  return {
    ...lookingFrom(now, totalUntil),
    posted: record.status === "unknown" ? "unknown" : "accepted",
    ids: record.transactionIds,
    ...(record.transactionIds.length === 0 && record.postedAfter && { mark: record.postedAfter, postedEarlier: true }),
    warnings: record.warnings,
  };
}

function elsewhere(plan: RestorePlan, record: RestoreRecord, postedTo: string, configured: string): RestoreResult {
  return {
    kind: "stored",
    record,
    reasons: [
      `${subject(plan)} was posted to the panel ${postedTo} and has not been seen to end there (${transactionOf(record)}, ${record.status}), but the ` +
        `configured panel is ${configured}. Nothing was sent. Point the configuration back to wait for it, or change triggers to restore on this panel.`,
    ],
  };
}
