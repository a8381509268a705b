import type { RestoreRequest } from "../inputs/intent";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import type { TransactionId } from "../panel/types";
import { mayBeRestore } from "../rows/chains";
import { laterAttemptFrom, whoseRow } from "../rows/match-transactions";
import { isMark } from "../rows/mark";
import { followRestore } from "./follow-restore";
import {
  endOf,
  type Follow,
  hasSeenNothing,
  isNotThis,
  type Search,
  takenChains,
  type Underway,
  unseen,
} from "./follow";
import { following, type FollowRules } from "./following";
import { readMachineLog, reachesDownTo } from "./machine-log";
import { subject, transactionOf, warningText, withoutStop } from "./messages";
import { recordOf } from "./outcome";
import type { Done, RestoreResult, Voice, Warning } from "./result";
import { type Site, totalUntilOf } from "./site";
import { waitFor } from "./wait";

/** Goes on waiting for a restore that an earlier run has stored as unfinished, or looks for it. Posts nothing. */
export async function resumeRestore(
  site: Site,
  plan: RestoreRequest,
  record: RestoreRecord,
  owner: string,
  isSentAnew: boolean,
  voice: Voice,
): Promise<Done> {
  const { address } = site.client;
  if (record.postedAfter && record.postedAfter.panel !== address) {
    return { result: elsewhere(plan, record, record.postedAfter.panel, address) };
  }
  // Transactions of which no panel is stored are of this one once it has shown them. Without any, it stays unknown where it was sent.
  const postedAfter = record.postedAfter ?? (record.transactionIds.length > 0 ? { panel: address } : undefined);
  return site.slots.with((place) => {
    place.occupy();
    const start = resumed(record, isSentAnew, site.clock.now(), totalUntilOf(site.clock, plan));
    return followRestore(site, plan, start, {
      adopted: record.adopted,
      postedAfter,
      voice,
      owner,
      ...(record.transactionIds.length > 0 && { known: record }),
    });
  });
}

/** Takes a transaction, named by its id, as this restore. Posts nothing. */
export async function takeTransaction(
  site: Site,
  plan: RestoreRequest,
  id: TransactionId,
  owner: string,
  voice: Voice,
): Promise<Done> {
  const notTaken = (why: string): Done => ({
    result: {
      kind: "not-posted",
      reason: `${subject(plan)}: transaction ${id}, which adopt names, ${why} Nothing was sent.`,
    },
  });
  if (site.claims.isClaimedByAnother(id, owner)) {
    // Most often the very same restore: its triggers were changed while adopt still named what it was then.
    return notTaken(
      "is another restore of this program already, or was this one before triggers changed. To restore anew, take adopt out.",
    );
  }
  const taken: Warning = { kind: "taken", transactionId: id };
  const start: Underway = {
    ...unseen({ kind: "known" }, site.clock.now(), totalUntilOf(site.clock, plan)),
    ids: [id],
    warnings: [taken],
  };
  const met = await lookAt(site, plan, start, owner, { until: "met", timeouts: plan.timeouts });
  const end = endOf(met);
  if (end?.how === "not-this-machine") return notTaken("belongs to another machine.");
  if (end?.how === "not-this-point") return notTaken("is of another recovery point.");
  if (hasSeenNothing(met)) {
    const why = end?.how === "turned-away" ? end.error.message : (met.lastTrouble ?? "the list does not show it");
    return notTaken(`was not found: ${withoutStop(why)}.`);
  }
  if (met.ids.some((each) => site.claims.isClaimedByAnother(each, owner))) {
    return notTaken(`is part of ${met.ids.join(", ")}, which is another restore of this program already.`);
  }
  if (await isDenied(site, plan, met)) {
    return notTaken(
      `does not say of which machine it is, and the log of machine ${plan.target.virtualMachineId} does not name it: it belongs to another machine.`,
    );
  }
  const { result, ended } = await site.slots.with((place) => {
    place.occupy();
    return followRestore(site, plan, start, {
      adopted: true,
      postedAfter: { panel: site.client.address },
      voice,
      owner,
    });
  });
  // An id that was left in the program takes the place of a restore that somebody waits for, and must not do so silently.
  voice.warn(warningText(taken));
  const going = ended ? { ended } : {};
  if (result.kind === "not-posted" || mayBeRestore(result.record, site.words)) return { result, ...going };
  const { record } = result;
  const doubt = warningText({ kind: "no restore by name", transactionId: id, action: record.action ?? "" });
  voice.warn(doubt);
  return { result: { ...result, record: { ...record, warnings: [...record.warnings, doubt] } }, ...going };
}

/** Whether the machine's own log would name the transaction and does not. Where it cannot be read, the person who named it decides. */
async function isDenied(site: Site, { target }: RestoreRequest, state: Follow): Promise<boolean> {
  const rows = takenChains(state).flat();
  if (rows.some((row) => whoseRow(row, target.virtualMachineId) === "ours")) return false;
  try {
    const log = await readMachineLog(site, target.virtualMachineId);
    const isNamed = rows.some((row) => log.transactionIds.includes(row.id));
    return !isNamed && rows.every((row) => reachesDownTo(log, row));
  } catch {
    return false;
  }
}

/**
 * One look at a restore that is stored as unfinished: what its status is now. Waits for nothing, and throws when the panel cannot be read. One
 * that is unaccounted for stays so: in a refresh nobody knows whose the other transactions are.
 */
export async function lookAgain(
  site: Site,
  plan: RestoreRequest,
  record: RestoreRecord,
  owner: string,
): Promise<RestoreRecord> {
  const { postedAfter, transactionIds } = record;
  if (isFinished(record.status) || transactionIds.length === 0) return record;
  if (postedAfter && postedAfter.panel !== site.client.address) return record;
  const ms = site.requestTimeoutMs;
  const start = resumed(record, false, site.clock.now(), undefined);
  const timeouts = { ...plan.timeouts, listedMs: ms, queueMs: ms, runMs: ms };
  const state = await lookAt(site, plan, start, owner, { until: "look", timeouts });
  const end = endOf(state);
  if (end?.how === "turned-away") throw unreadable(plan, end.error.message);
  if (end?.how === "limit" && state.readDown !== true) throw unreadable(plan, state.lastTrouble ?? "no answer");
  if (hasSeenNothing(state) || state.ids.some((id) => site.claims.isClaimedByAnother(id, owner))) return record;
  if (!isNotThis(state)) site.claims.claim(state.ids, owner);
  return recordOf(state, site, {
    adopted: record.adopted,
    postedAfter: postedAfter ?? { panel: site.client.address },
  });
}

function unreadable(plan: RestoreRequest, why: string): Error {
  return new Error(`${subject(plan)}: its status could not be read: ${why}`);
}

function lookAt(
  site: Site,
  { target }: RestoreRequest,
  start: Underway,
  owner: string,
  rules: Pick<FollowRules, "until" | "timeouts">,
): Promise<Follow> {
  const isClaimed = (id: string): boolean => site.claims.isClaimedByAnother(id, owner);
  const waiting = following({ target, words: site.words, isClaimed, ...rules });
  return waitFor(site, waiting, start, { machine: target.virtualMachineId });
}

/** With its transactions known, they are followed; else they are looked for above the mark taken before the POST. */
function resumed(record: RestoreRecord, isSentAnew: boolean, now: number, totalUntil: number | undefined): Underway {
  const { status, transactionIds, postedAfter, warnings } = record;
  const isKnown = transactionIds.length > 0 || postedAfter === undefined || !isMark(postedAfter);
  const search: Search = isKnown
    ? { kind: "known" }
    : { kind: "unaccounted", mark: postedAfter, later: laterAttemptFrom(postedAfter, isSentAnew) };
  return {
    ...unseen(search, now, totalUntil),
    posted: status === "unknown" ? "unknown" : "accepted",
    ids: transactionIds,
    warnings: warnings.map((text) => ({ kind: "kept", text })),
  };
}

function elsewhere(plan: RestoreRequest, record: RestoreRecord, postedTo: string, configured: string): RestoreResult {
  return {
    kind: "stored",
    record,
    reasons: [
      `${subject(plan)} was posted to the panel ${postedTo} and has not been seen to end there (${transactionOf(record)}, ${record.status}), but the ` +
        `configured panel is ${configured}. Nothing was sent. Point the configuration back to wait for it, or change triggers to restore on this panel.`,
    ],
  };
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
 * Waits for a restore that somebody else has posted and stored, within its own limits. Posts nothing, and takes transactions in the name of
 * the restore's own intent, so that in this process the restore and whoever waits for it are one. `ended`: this process follows it already.
 */
export async function awaitRestore(
  site: Site,
  plan: RestoreRequest,
  record: RestoreRecord,
  owner: string,
  voice: Voice,
  ended: Promise<RestoreResult> | undefined,
): Promise<AwaitedRestore> {
  if (isFinished(record.status)) return { record, reasons: [], tail: [] };
  const result = ended
    ? await ended
    : (await resumeRestore(site, { ...plan, wait: true }, record, owner, false, voice)).result;
  if (result.kind === "not-posted") return { record, reasons: [result.reason], tail: [] };
  const { logOutput, status, warnings } = result.record;
  // Who follows it does not speak once it is listed.
  if (ended) for (const warning of warnings) if (!record.warnings.includes(warning)) voice.warn(warning);
  return {
    record: result.record,
    reasons: result.kind === "stored" && !isFinished(status) ? result.reasons : [],
    tail: logOutput === undefined || status === "complete" ? [] : logTail(logOutput, site.redact),
  };
}
