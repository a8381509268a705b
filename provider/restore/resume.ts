import type { RestorePlan } from "../inputs/intent";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import type { TransactionId } from "../panel/types";
import { mayBeRestore } from "../rows/chains";
import { markOf, tellsPlace } from "../rows/mark";
import type { Sought } from "../rows/searches";
import { followRestore } from "./follow-restore";
import {
  endOf,
  type Follow,
  hasSeenNothing,
  isNotThis,
  knownByIds,
  lookingAbove,
  takenChains,
  type Underway,
  unseen,
} from "./follow-state";
import { following } from "./following";
import { subject, transactionOf, warningText, withoutStop } from "./messages";
import { recordOf } from "./outcome";
import type { RestoreResult, Voice, Warning } from "./result";
import { type Site, totalUntilOf } from "./site";
import { onPlace } from "./turn";
import { waitFor } from "./wait";
import type { Waiting } from "./waiting";

/** Goes on waiting for a restore that an earlier run has stored as unfinished. Posts nothing. */
export async function resumeRestore(
  site: Site,
  plan: RestorePlan,
  record: RestoreRecord,
  owner: string,
  voice: Voice,
  place: "takes one" | "has one" = "takes one",
): Promise<RestoreResult> {
  const { address } = site.client;
  if (record.postedAfter && record.postedAfter.panel !== address) {
    return elsewhere(plan, record, record.postedAfter.panel, address);
  }
  // Transactions of which no panel is stored are of this one once it has shown them. Without any, it stays unknown where it was sent.
  const postedAfter = record.postedAfter ?? (record.transactionIds.length > 0 ? { panel: address } : undefined);
  const follow = () => {
    const start = resumed(record, site.clock.now(), totalUntilOf(site.clock, plan));
    return site.searches.during(soughtIn(plan, start), () =>
      followRestore(site, plan, start, {
        adopted: record.adopted,
        postedAfter,
        until: plan.wait ? "ended" : "listed",
        voice,
        owner,
        ...(record.transactionIds.length > 0 && { known: record }),
      }),
    );
  };
  const { result } = await (place === "has one" ? follow() : onPlace(site.slots, follow));
  return result.kind === "stored" ? { ...result, record: await withPlaceOfFailure(site, result.record) } : result;
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
  const taken: Warning = { kind: "taken", transactionId: id };
  const start: Underway = {
    ...unseen(knownByIds, site.clock.now(), totalUntilOf(site.clock, plan)),
    ids: [id],
    warnings: [taken],
  };
  const { result, state } = await onPlace(site.slots, () =>
    followRestore(site, plan, start, {
      adopted: true,
      postedAfter: { panel: site.client.address },
      until: plan.wait ? "ended" : "listed",
      voice,
      owner,
    }),
  );
  const end = endOf(state);
  if (end?.how === "not-this-machine") return notTaken("belongs to another machine.");
  if (end?.how === "not-this-point") return notTaken("is of another recovery point.");
  if (state.ids.some((each) => site.claims.isClaimedByAnother(each, owner))) {
    return notTaken(`is part of ${state.ids.join(", ")}, which is another restore of this program already.`);
  }
  if (hasSeenNothing(state)) {
    const why = end?.how === "turned-away" ? end.error.message : (state.lastTrouble ?? "the list does not show it");
    return notTaken(`was not found: ${withoutStop(why)}.`);
  }
  // An id that was left in the program takes the place of a restore that somebody waits for, and must not do so silently.
  voice.warn(warningText(taken));
  if (result.kind === "not-posted" || mayBeRestore(result.record, site.words)) return result;
  const { record } = result;
  const doubt = warningText({ kind: "no restore by name", transactionId: id, action: record.action ?? "" });
  voice.warn(doubt);
  return { ...result, record: { ...record, warnings: [...record.warnings, doubt] } };
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
  const machine = plan.target.virtualMachineId;
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
    isOfALater: (row, mark) => site.searches.isOfALater(row, { machine, mark }),
    until: "look",
  });
  const waiting: Waiting<Follow> = {
    ...look,
    step(before, event, now) {
      if (event.type === "trouble") lastError = event.error;
      // The list can be read again: what was wrong before says nothing about the restore.
      if (event.type === "tick") lastError = undefined;
      return look.step(before, event, now);
    },
  };
  const start = resumed(record, site.clock.now(), undefined);
  const state = await site.searches.during(soughtIn(plan, start), () => waitFor(site, waiting, start, { machine }));
  const end = endOf(state);
  if (end?.how === "turned-away" || (end?.how === "limit" && lastError)) {
    throw new Error(`${subject(plan)}: its status could not be read: ${(lastError ?? new Error("no answer")).message}`);
  }
  if (hasSeenNothing(state) || state.ids.some((id) => site.claims.isClaimedByAnother(id, owner))) return record;
  // One of them may be another restore of the machine, of which this process, unlike one that carries restores out, knows nothing: what is
  // written down here as ours would be found by nobody else any more, and be posted again.
  if (record.transactionIds.length === 0 && takenChains(state).length > 1) return record;
  if (!isNotThis(state)) site.claims.claim(state.ids, owner);
  const seen = recordOf(state, site.words, {
    adopted: record.adopted,
    postedAfter: postedAfter ?? { panel: site.client.address },
  });
  return withPlaceOfFailure(site, seen);
}

/** With its transactions known, they are followed; else they are looked for above the mark taken before the POST. */
function resumed(record: RestoreRecord, now: number, totalUntil: number | undefined): Underway {
  const { status, transactionIds, postedAfter, warnings } = record;
  const mark = transactionIds.length === 0 && postedAfter && tellsPlace(postedAfter) ? postedAfter : undefined;
  const search = mark ? lookingAbove(mark, "an earlier run") : knownByIds;
  return {
    ...unseen(search, now, totalUntil),
    posted: status === "unknown" ? "unknown" : "accepted",
    ids: transactionIds,
    warnings: warnings.map((text) => ({ kind: "kept", text })),
  };
}

function soughtIn({ target }: RestorePlan, { search }: Underway): Sought | undefined {
  return search.kind === "looking" ? { machine: target.virtualMachineId, mark: search.mark } : undefined;
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

/**
 * The record of a restore of an earlier run, and where the list stands when it turns out to have failed: the next try is posted above that.
 * Where that cannot be read, the next try goes by its intent's mark, below which everything is older as well.
 */
async function withPlaceOfFailure(
  { feed, client, requestTimeoutMs }: Pick<Site, "feed" | "client" | "requestTimeoutMs">,
  record: RestoreRecord,
): Promise<RestoreRecord> {
  if (record.status !== "failed") return record;
  try {
    const head = await feed.head({ budgetMs: requestTimeoutMs });
    return { ...record, postedAfter: markOf(head, client.address) };
  } catch {
    return record;
  }
}

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
