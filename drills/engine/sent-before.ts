import { omitUndefined, own, type Properties } from "../../provider/plain/plain";
import type { Session } from "../../provider/restore/session";
import { allAsked, eventsOf, whyKept } from "../judge/asked";
import { attemptsIn, attemptsOf, transactionText, unfinishedIn, whatHappened } from "../judge/history";
import { lastOfMachines } from "../judge/overwritten";
import { readRecord, type EarlierSends, type Entry, type IntentText, type WaveRecord } from "../judge/stored";
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
  const sentTo = new Set(attemptsIn(last.restores).map(([, { sent }]) => sent.machine));
  const isLost = seen.mayBeLost(inputs, over, sentTo);
  const found = Object.entries(entries).filter((one) => isOpen(one) && isLost(one[1]));
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

/**
 * Claims recorded transactions, so that no other attempt, restore or run adopts them, and so that those still running keep their machine busy, even if
 * their rows do not name it. Ids from another panel mean nothing here.
 */
export function claimRecord(session: Session, urn: string, { restores, panel, earlierSends = [] }: WaveRecord): void {
  const { claims, client } = session;
  const isHere = (where: string | undefined): boolean => where === undefined || where === client.address;
  for (const events of isHere(panel) ? Object.values(restores) : []) {
    const attempts = attemptsOf(events);
    for (const [index, { entry, ids, ended, sent }] of attempts.entries()) {
      // A failed attempt may have been rerun on the panel, so the same entry may still adopt its transactions.
      const isOfNext = ended?.status === "failed" || index === attempts.length - 1;
      const owner = `${ownerOf(urn, entry)}${isOfNext ? "" : `, attempt ${String(index + 1)}`}`;
      claims.claim(ids, owner, { machine: sent.machine });
    }
  }
  for (const { ids, unfinished } of earlierSends.filter((one) => isHere(one.panel))) {
    for (const id of ids) claims.claim([id], "earlier runs");
    for (const one of unfinished) claims.claim(one.ids, "earlier runs", one);
  }
}

/** Two plans in a stack may request the same restore of the same machine, in entries with the same id. */
export const ownerOf = (urn: string, entry: string): string => `${urn} ${entry}`;

/** The transactions of restores from this run and earlier runs on this panel that are stored as unfinished. */
export function unfinishedOf({ restores, earlierSends = [] }: WaveRecord, of: string, here: string): readonly string[] {
  const before = earlierSends.filter(({ panel }) => panel === undefined || panel === here);
  return [...before.flatMap(({ unfinished }) => unfinished), ...unfinishedIn(restores)].flatMap(({ machine, ids }) =>
    machine === of ? ids : [],
  );
}

/** Warnings about restores whose end was not recorded before their wave was deleted. An unreadable record does not block a destroy. */
export const forgottenTexts = (record: unknown): readonly string[] =>
  attemptsIn(readRecord(record)?.restores ?? {})
    .filter(([, { ended }]) => ended === undefined)
    .map(
      ([name, { ids }]) =>
        `the outcome of ${name} was not recorded (${transactionText(ids)}): if it is still running, later restores no longer wait for it`,
    );
