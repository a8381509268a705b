import { isFinished, type RestoreRecord } from "../../provider/inputs/record";
import { groupBy, omitUndefined, own, type Properties } from "../../provider/plain/plain";
import { idOnRow } from "../../provider/restore/messages";
import type { Run, Session } from "../../provider/restore/session";
import { allAsked, eventsOf, whyKept } from "../judge/asked";
import { attemptsIn, attemptsOf, transactionText, unfinishedIn, whatHappened } from "../judge/history";
import { lastOfMachines } from "../judge/overwritten";
import {
  readRecord,
  type EarlierSends,
  type Entry,
  type IntentText,
  type Unfinished,
  type WaveRecord,
} from "../judge/stored";
import type { Core } from "./one-restore";
import type { SeenParts } from "./parts";

/** Older runs are forgotten, because nobody adopts a transaction that old by mistake. */
const mostEarlierRuns = 20;

/**
 * The record a wave starts with. A machine is added to `lost` if its entry has no events yet, and an `up` that left no record may have sent an earlier
 * request for the machine. Once this wave has attempted a machine, requests in other waves no longer count: the search before that attempt covered them.
 */
export function recordOfRun(
  entries: IntentText["entries"],
  last: WaveRecord,
  isOtherRun: boolean,
  seen: SeenParts,
  inputs: Properties,
): WaveRecord {
  const record = isOtherRun ? recordOfNewRun(last) : last;
  const isOpen = ([name, { id }]: [string, Entry]): boolean =>
    !eventsOf(record, name).some(({ entry }) => entry === id);
  const requested = isOtherRun ? seen.plannedBefore(inputs)?.before?.entries : entries;
  const over = Object.keys(last.restores).flatMap((name) => overIn(name, own(requested ?? {}, name), last));
  const asked = seen.askedBefore(inputs, over);
  const sentTo = new Set(attemptsIn(last.restores).map(([, { sent }]) => sent.machine));
  // New triggers declare that a request removed from the plan during the run was not sent.
  const isLost = ([, { machine, triggers = [] }]: [string, Entry]): boolean =>
    asked(machine)
      .filter((one) => one.triggers === undefined || one.triggers === JSON.stringify(triggers))
      .some(({ isHere }) => isHere || !sentTo.has(machine));
  const found = Object.entries(entries).filter((one) => isOpen(one) && isLost(one));
  const lost = new Set([...(record.lost ?? []), ...found.map(([, { machine }]) => machine)]);
  return lost.size === 0 ? record : { ...record, lost: [...lost] };
}

/** Keeps the proofs, and what earlier runs have sent or may have sent. */
function recordOfNewRun(record: WaveRecord): WaveRecord {
  const { restores, proofs, panel, lost, earlierSends = [] } = record;
  const ids = attemptsIn(restores).flatMap(([, one]) => one.ids);
  const last = omitUndefined<EarlierSends>({ panel, ids, unfinished: unfinishedIn(restores) });
  const machines = lastOfMachines(record);
  const sends = [...earlierSends, last].slice(-mostEarlierRuns);
  return { restores: {}, proofs, earlierSends: sends, machines, ...(lost && { lost }) };
}

/**
 * The ids of a restore's requests that need no search on the panel. These are all requests up to the last attempt (none if that attempt itself needs a
 * search), and all later requests that no `up` sends.
 */
function overIn(name: string, asked: Entry | undefined, record: WaveRecord): readonly string[] {
  const events = eventsOf(record, name);
  const last = whatHappened(events, undefined).attempts.at(-1);
  if (last === undefined) return [];
  const all = asked ? allAsked(asked) : [];
  const from = all.findLastIndex(({ id }) => id === last.entry);
  const since = from === -1 ? [] : all.slice(from);
  const kept = since.filter((one) => whyKept(one, all, name, record) !== undefined).map(({ id }) => id);
  const { state, counts } = whatHappened(events, last.entry);
  // A running restore is listed by `unfinishedIn`; a failed restore may have been sent again.
  if (["not sent", "sent", "failed"].includes(state) && counts?.ended?.failedPart === undefined) return kept;
  return [...events.slice(0, events.indexOf(last.sent) + 1).map(({ entry }) => entry), ...kept];
}

/** Claims recorded transactions, so that no other attempt, restore or run adopts them. Ids from another panel mean nothing here. */
export function claimRecord(session: Session, urn: string, { restores, panel, earlierSends = [] }: WaveRecord): void {
  const { claims, client } = session;
  const isHere = (where: string | undefined): boolean => where === undefined || where === client.address;
  for (const events of isHere(panel) ? Object.values(restores) : []) {
    const attempts = attemptsOf(events);
    for (const [index, { entry, ids, ended }] of attempts.entries()) {
      // A failed attempt may have been rerun on the panel, so the same entry may still adopt its transactions.
      const isOfNext = ended?.status === "failed" || index === attempts.length - 1;
      claims.claim(ids, `${ownerOf(urn, entry)}${isOfNext ? "" : `, attempt ${String(index + 1)}`}`);
    }
  }
  for (const one of earlierSends) if (isHere(one.panel)) for (const id of one.ids) claims.claim([id], "earlier runs");
}

/** Two plans in a stack may request the same restore of the same machine, in entries with the same id. */
export const ownerOf = (urn: string, entry: string): string => `${urn} ${entry}`;

/** The restores from this run and earlier runs on this panel that are stored as unfinished, by machine. */
export function unfinishedByMachine(
  { restores, earlierSends = [] }: WaveRecord,
  here: string,
): ReadonlyMap<string, readonly Unfinished[]> {
  const before = earlierSends.filter(({ panel }) => panel === undefined || panel === here);
  return groupBy(
    [...before.flatMap(({ unfinished }) => unfinished), ...unfinishedIn(restores)],
    ({ machine }) => machine,
  );
}

/** Waits until an unfinished restore has ended or has disappeared from the list, for at most as long as for any other job on the machine. */
export async function isOver(core: Core, run: Run, { name, ids }: Unfinished): Promise<boolean> {
  const { request, reporter } = run;
  const stored: RestoreRecord = { status: "running", transactionIds: ids, adopted: false, warnings: [] };
  const progress = (): void => {
    reporter.progress(`waiting for ${name} (${transactionText(ids.map(idOnRow))})`);
  };
  // If nothing shows how it ended, the user has already decided to go on.
  const now = await core.refresh({ ...run, reporter: { progress, warn: () => undefined } }, stored);
  if (now === stored || isFinished(now.status)) return true;
  const timeouts = { ...request.timeouts, runMs: request.timeouts.busyMs };
  const waiting = { ...run, request: { ...request, timeouts }, reporter: { progress, warn: reporter.warn } };
  const { result } = await core.resume(waiting, stored);
  return result.kind !== "not sent" && isFinished(result.record.status);
}

/** Warnings about restores whose end was not recorded before their wave was deleted. An unreadable record does not block a destroy. */
export const forgottenTexts = (record: unknown): readonly string[] =>
  attemptsIn(readRecord(record)?.restores ?? {})
    .filter(([, { ended }]) => ended === undefined)
    .map(
      ([name, { ids }]) =>
        `the outcome of ${name} was not recorded (${transactionText(ids)}): if it is still running, no restore waits for it any more`,
    );
