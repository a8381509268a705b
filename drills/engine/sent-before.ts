import { isFinished, type RestoreRecord } from "../../provider/inputs/record";
import { groupBy, type Properties } from "../../provider/plain/plain";
import { idOnRow } from "../../provider/restore/messages";
import type { Run, Session } from "../../provider/restore/session";
import { eventsOf } from "../judge/asked";
import { type Attempt, transactionText, whatHappened } from "../judge/history";
import { lastOfMachines } from "../judge/overwritten";
import type { EarlierSends, Entry, IntentText, RestoreEvent, Unfinished, WaveRecord } from "../judge/stored";
import type { Core } from "./one-restore";
import type { SeenParts } from "./parts";

/** Nobody names a transaction from more runs ago than this by mistake. */
const mostEarlierRuns = 20;

/**
 * The record with which a wave starts. The machines to which an `up` without a record may have sent what was asked for before are added for entries that no
 * call has dealt with. Whatever was asked for elsewhere was looked for before the wave's own first attempt.
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
  const asked = seen.askedBefore(inputs, Object.values(last.restores).flatMap(overIn));
  const sentTo = new Set(attemptsIn(last.restores).map(([, { sent }]) => sent.machine));
  // What was taken out within the run, and has new triggers now, was not sent: they say so.
  const isLost = ([, { machine, triggers = [] }]: [string, Entry]): boolean =>
    asked(machine)
      .filter((one) => one.triggers === undefined || one.triggers === JSON.stringify(triggers))
      .some(({ isHere }) => isHere || !sentTo.has(machine));
  const found = Object.entries(entries).filter((one) => isOpen(one) && isLost(one));
  const lost = new Set([...(record.lost ?? []), ...found.map(([, { machine }]) => machine)]);
  return lost.size === 0 ? record : { ...record, lost: [...lost] };
}

/** The proofs, and what the runs before have sent, or may have. */
function recordOfNewRun(record: WaveRecord): WaveRecord {
  const { restores, proofs, panel, lost, earlierSends = [] } = record;
  const ids = attemptsIn(restores).flatMap(([, one]) => one.ids);
  const last: EarlierSends = { ...(panel !== undefined && { panel }), ids, unfinished: unfinishedIn(restores) };
  const machines = lastOfMachines(record);
  const sends = [...earlierSends, last].slice(-mostEarlierRuns);
  return { restores: {}, proofs, earlierSends: sends, machines, ...(lost && { lost }) };
}

/** The entries of a name that left nothing behind: what an entry left behind is over once a later entry of its name is. */
function overIn(events: readonly RestoreEvent[]): readonly string[] {
  const last = whatHappened(events, undefined).attempts.at(-1);
  if (last === undefined) return [];
  const { state, counts } = whatHappened(events, last.entry);
  // `unfinishedIn` lists a running restore; a failed restore may have been sent again.
  if (["not sent", "sent", "failed"].includes(state) && counts?.ended?.failedPart === undefined) return [];
  return events.slice(0, events.indexOf(last.sent) + 1).map(({ entry }) => entry);
}

/** A restore takes no transaction of another attempt, restore or run. Ids of another panel mean nothing. */
export function claimRecord(session: Session, urn: string, { restores, panel, earlierSends = [] }: WaveRecord): void {
  const { claims, client } = session;
  const isHere = (where: string | undefined): boolean => where === undefined || where === client.address;
  for (const events of isHere(panel) ? Object.values(restores) : []) {
    const attempts = attemptsOf(events);
    for (const [index, { entry, ids, ended }] of attempts.entries()) {
      // The panel may have run a failed attempt of the same entry again, and `adopt` then names it.
      const isOfNext = ended?.status === "failed" || index === attempts.length - 1;
      claims.claim(ids, `${ownerOf(urn, entry)}${isOfNext ? "" : `, attempt ${String(index + 1)}`}`);
    }
  }
  for (const one of earlierSends) if (isHere(one.panel)) claims.claim(one.ids, "earlier runs");
}

/** Two plans of one stack may request the same restore of the same machine, in entries with the same id. */
export const ownerOf = (urn: string, entry: string): string => `${urn} ${entry}`;

type Restores = Readonly<Record<string, readonly RestoreEvent[]>>;

/** Without attempts whose end was unknown until a person named the restore: any other of their transactions may be anybody's. */
function attemptsOf(events: readonly RestoreEvent[]): readonly Attempt[] {
  const { attempts } = whatHappened(events, undefined);
  return attempts.filter(({ entry, ended }, index) => ended !== undefined || attempts[index + 1]?.entry !== entry);
}

const attemptsIn = (restores: Restores) =>
  Object.entries(restores).flatMap(([name, events]) => attemptsOf(events).map((one) => [name, one] as const));

/** On each machine of a panel: the restores that are stored as unfinished, of this run and earlier runs. */
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

/** Waits, as for any job of the machine, until the unfinished restores have ended or are no longer listed. */
export async function isOver(core: Core, run: Run, { name, ids }: Unfinished): Promise<boolean> {
  const { request, reporter } = run;
  const stored: RestoreRecord = { status: "running", transactionIds: ids, adopted: false, warnings: [] };
  const now = await core.refresh(run, stored);
  if (now === stored || isFinished(now.status)) return true;
  const { busyMs } = request.timeouts;
  if (busyMs === 0) return false;
  const progress = (): void => {
    reporter.progress(`waiting: ${name} runs as ${transactionText(ids.map(idOnRow))}`);
  };
  const timeouts = { ...request.timeouts, runMs: busyMs };
  const waiting = { ...run, request: { ...request, timeouts }, reporter: { progress, warn: reporter.warn } };
  const { result } = await core.resume(waiting, stored);
  return result.kind !== "not sent" && isFinished(result.record.status);
}

function unfinishedIn(restores: Restores): readonly Unfinished[] {
  return attemptsIn(restores).flatMap(([name, { sent, ids, ended }]) =>
    ended === undefined && ids.length > 0 && sent.machine !== undefined ? [{ name, machine: sent.machine, ids }] : [],
  );
}
