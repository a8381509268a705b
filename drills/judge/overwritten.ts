import type { RestoreKind } from "../../provider/inputs/restore-table";
import { compareIds, type TransactionId } from "../../provider/panel/types";
import { parseStamp } from "../../provider/plain/clock";
import { groupBy } from "../../provider/plain/plain";
import { firstSent } from "./asked";
import { type Attempt, type Happened, whatHappened } from "./history";
import type { JudgedWave, RestoreEvent, WaveRecord, WholeRestore } from "./stored";

/** A restore of a machine, planned or not. */
export interface MachineRestore {
  readonly name: string;
  /** Undefined if the machine is secret, in which case it is unknown whether another restore concerns the same machine. */
  readonly machine: string | undefined;
  readonly panel?: string | undefined;
  readonly plan?: string | undefined;
  /** True if the panel's ids are numbers in the order of the list, as the mark shows. */
  readonly isNumbered?: boolean | undefined;
  readonly happened: Happened;
  /** True if the restore may have been sent without being recorded: an `up` is under way, or has left no record. */
  readonly mayBeSent: boolean;
  readonly kind: RestoreKind;
}

export type SentWhole = WholeRestore & Pick<MachineRestore, "isNumbered">;

/** A restore's attempts to restore the whole machine, plus a request that may have been sent without being recorded. */
export function wholeRestores(restore: MachineRestore): readonly SentWhole[] {
  const { name, machine, panel, isNumbered, mayBeSent, kind, happened } = restore;
  const sent = wholeAttempts({ name, panel, isNumbered }, happened);
  if (!mayBeSent || kind === "FileRestore" || happened.state !== "not sent" || machine === undefined) return sent;
  // The exact time is unknown, but it was before an `up` gave up on the restore.
  return [...sent, { name, machine, panel, at: happened.stop?.at ?? "", ids: [] }];
}

/** All attempts to restore the whole machine, not only complete ones, because a running, failed or unlisted restore may leave it in any state. */
function wholeAttempts(
  of: Pick<SentWhole, "name" | "panel" | "isNumbered">,
  { attempts }: Pick<Happened, "attempts">,
): readonly SentWhole[] {
  return attempts.flatMap((attempt) => {
    const { machine, paths } = attempt.sent;
    return machine === undefined || paths !== undefined ? [] : [{ ...of, ...placeOf(attempt), machine }];
  });
}

export function lastOfMachines({ restores, panel, machines = [] }: WaveRecord): readonly WholeRestore[] {
  const keyOf = (one: WholeRestore): string => JSON.stringify([one.panel, one.machine]);
  const last = new Map(machines.map((one) => [keyOf(one), one]));
  for (const [name, events] of Object.entries(restores))
    for (const one of wholeAttempts({ name, panel }, whatHappened(events, undefined))) {
      last.delete(keyOf(one));
      last.set(keyOf(one), one);
    }
  return [...last.values()];
}

/** Whole-machine restores that a wave has sent or may have sent earlier. They no longer count, but one of them may be the last that overwrote its machine. */
export function sentBefore(
  { restores, panel, machines = [], gone = {}, settled }: JudgedWave,
  present: readonly { readonly events: readonly RestoreEvent[] }[],
): readonly SentWhole[] {
  const isPresent = new Set(present.map(({ events }) => events));
  const recorded = Object.entries(restores).flatMap(([name, events]) =>
    isPresent.has(events) ? [] : wholeAttempts({ name, panel }, whatHappened(events, undefined)),
  );
  const unrecorded = Object.entries(gone).flatMap(([name, all]): SentWhole[] => {
    const first = firstSent(all, name, { restores, settled });
    if (first === undefined || "did" in first || first.paths !== undefined) return [];
    return [{ name, machine: first.machine, at: "", ids: [] }];
  });
  return [...machines, ...recorded, ...unrecorded];
}

/** The complete restores that do not count, because the whole machine was restored later, by any resource and with any outcome. The text follows a restore's name. */
export function findOverwritten<Restore extends MachineRestore>(
  restores: readonly Restore[],
  whole: readonly SentWhole[],
): ReadonlyMap<Restore, string> {
  const byMachine = groupBy(whole, ({ machine }): string | undefined => machine);
  const byId = groupBy(
    restores.flatMap((one) => (one.happened.counts?.ids ?? []).map((id) => ({ ...one, id }))),
    ({ id }) => id,
  );
  const found = new Map<Restore, string>();
  for (const restore of restores) {
    const { happened, panel, machine, isNumbered } = restore;
    const isHere = (where = panel): boolean => panel === undefined || where === panel;
    const { counts } = happened;
    if (counts?.ended?.status !== "complete") continue;
    const place = { ...placeOf(counts), isNumbered };
    const after = (byMachine.get(counts.sent.machine) ?? []).filter((one) => isHere(one.panel) && isBefore(place, one));
    const over = after.find(({ ids }) => ids.length > 0) ?? after[0];
    // Restores of two machines may have the same transaction, for example after `adopt`. Then it is unknown which machine was restored.
    const alike = counts.ids.map((id) => byId.get(id) ?? []).flat();
    const isOther = (one: Restore): boolean =>
      one.plan === restore.plan && machine !== undefined && (one.machine ?? machine) !== machine;
    const other = alike.find((one) => isHere(one.panel) && isOther(one));
    const [id] = over?.ids ?? [];
    if (over !== undefined && id !== undefined)
      found.set(restore, `was overwritten by ${over.name} (transaction ${id})`);
    else if (over) found.set(restore, `may have been overwritten by ${over.name} (no transaction known)`);
    else if (other) found.set(restore, `has the same transaction (${other.id}) as ${other.name}, on another machine`);
  }
  return found;
}

type Place = Pick<SentWhole, "at" | "ids" | "requestedAt" | "isNumbered">;

function placeOf({ sent, ids, ended }: Attempt): Place {
  return { at: sent.at, ids, requestedAt: ended?.requestedAt };
}

/** True if `one` came, or may have come, before `other` on their panel. Numeric ids prove this only if the list is in the same order. */
function isBefore(one: Place, other: Place): boolean {
  const [a, b] = [one.ids[0], other.ids[0]];
  // The same transaction, or a restore that was sent at the same moment, is not another restore.
  if (a === undefined ? one.at === other.at : other.ids.includes(a)) return false;
  const byNumber = a !== undefined && b !== undefined ? compareIds(a as TransactionId, b as TransactionId) : undefined;
  if (byNumber !== undefined && (one.isNumbered === true || other.isNumbered === true)) return byNumber < 0;
  const [from, to] = [parseStamp(one.requestedAt), parseStamp(other.requestedAt)];
  if (from !== undefined && to?.namesZone === from.namesZone) return from.at < to.at;
  // If neither ids nor the panel's timestamps show the order, the request times by our own clock decide. An unknown time may be later.
  const [sent, otherSent] = [Date.parse(one.at), Date.parse(other.at)];
  return byNumber !== undefined && Number.isNaN(sent - otherSent) ? byNumber < 0 : !(sent >= otherSent);
}
