import type { RestoreKind } from "../../provider/inputs/restore-table";
import { isDecimalId } from "../../provider/panel/types";
import { parseStamp } from "../../provider/plain/clock";
import { own } from "../../provider/plain/plain";
import { type Attempt, type Happened, whatHappened } from "./history";
import type { Entry, JudgedWave } from "./stored";

/** A restore of a machine, in a plan or outside a plan. */
export interface MachineRestore {
  readonly name: string;
  /** Undefined if it is a secret: then it is unknown whether another restore has the same machine. */
  readonly machine: string | undefined;
  readonly panel?: string | undefined;
  readonly happened: Pick<Happened, "attempts" | "counts">;
}

/** The restores of a record that are no longer requested: they count for nothing, but the machine is as they left it. */
export function takenOut(
  { restores }: Pick<JudgedWave, "restores">,
  asked: readonly { readonly name: string }[],
): readonly MachineRestore[] {
  return Object.entries(restores).flatMap(([name, events]) => {
    const happened = whatHappened(events, undefined);
    const machine = happened.attempts.at(-1)?.sent.machine;
    return asked.some((one) => one.name === name) || machine === undefined ? [] : [{ name, machine, happened }];
  });
}

/**
 * A wave that has ended leaves a record of every entry. Without one, an `up` that was killed may have restored the machine as it was asked for then; it
 * does not matter if the restore has been sent to the same machine since.
 */
export function unknownSends({
  left = {},
  entries,
  restores,
}: Pick<JudgedWave, "entries" | "left" | "restores">): readonly MachineRestore[] {
  return Object.entries(left).flatMap(([name, { at, ids, machines }]) => {
    const events = own(restores, name) ?? [];
    const since = whatHappened(events, own(entries, name)?.id).counts?.sent;
    return ids.flatMap((entry, index) => {
      const machine = machines[index] ?? "";
      const isOver = since?.did === "posted" && since.machine === machine && since.paths === undefined;
      if (machine === "" || isOver || events.some((event) => event.entry === entry)) return [];
      return [{ name, machine, happened: unlisted({ at, entry, machine }) }];
    });
  });
}

/** A restore that may have been sent without a record: nobody knows when, but it was before an `up` stopped over it. */
export function sentWithoutRecord<Restore extends MayBeSent>(
  restore: Restore,
): readonly (Omit<Restore, "happened"> & Pick<MachineRestore, "happened">)[] {
  const { machine, mayBeSent, happened, kind, entry, planned } = restore;
  const isWhole = kind !== "FileRestore" && (entry ?? planned)?.paths === undefined;
  if (!mayBeSent || !isWhole || happened.state !== "not sent" || machine === undefined) return [];
  return [{ ...restore, happened: unlisted({ at: happened.stop?.at ?? "", entry: entry?.id ?? "", machine }) }];
}

interface MayBeSent extends MachineRestore {
  readonly mayBeSent: boolean;
  readonly happened: Happened;
  readonly kind?: RestoreKind;
  readonly entry?: Pick<Entry, "id" | "paths">;
  readonly planned?: Pick<Entry, "paths">;
}

function unlisted(of: {
  readonly at: string;
  readonly entry: string;
  readonly machine: string;
}): Pick<Happened, "attempts"> {
  const sent = { ...of, did: "posted", answer: "unknown", up: "" } as const;
  return { attempts: [{ entry: of.entry, sent, ids: [], checks: [], stops: [] }] };
}

export interface Overwriting {
  readonly name: string;
  /** Undefined if none is known: then it may have overwritten the machine. */
  readonly transactionId: string | undefined;
}

/** Follows the name of the restore. */
export function overwrittenText({ name, transactionId }: Overwriting): string {
  return transactionId === undefined
    ? `may have been overwritten by ${name} (no transaction known)`
    : `was overwritten by ${name} (transaction ${transactionId})`;
}

/**
 * Which complete restores do not count, because a restore of their whole machine was listed after them, from any resource and with any end. Restores
 * of one machine are compared by the order of their transactions.
 */
export function findOverwritten<Restore extends MachineRestore>(
  all: readonly Restore[],
): ReadonlyMap<Restore, Overwriting> {
  const wholeByMachine = new Map<string | undefined, { readonly restore: Restore; readonly attempt: Attempt }[]>();
  for (const restore of all)
    for (const attempt of restore.happened.attempts) {
      // Whatever its end: a restore that is under way, failed or not listed leaves a machine in any state.
      const { machine, paths } = attempt.sent;
      if (paths !== undefined || machine === undefined) continue;
      const known = wholeByMachine.get(machine) ?? [];
      known.push({ restore, attempt });
      wholeByMachine.set(machine, known);
    }
  const found = new Map<Restore, Overwriting>();
  for (const restore of all) {
    const { happened, panel } = restore;
    const { counts } = happened;
    if (counts?.ended?.status !== "complete") continue;
    const over = wholeByMachine
      .get(counts.sent.machine)
      ?.find(
        (one) =>
          one.attempt !== counts &&
          (panel === undefined || one.restore.panel === undefined || one.restore.panel === panel) &&
          isBefore(counts, one.attempt),
      );
    if (over !== undefined) found.set(restore, { name: over.restore.name, transactionId: over.attempt.ids[0] });
  }
  return found;
}

/** True if one restore came before another on their panel, or may have. Ids of one job need not be next to each other. */
function isBefore(one: Attempt, other: Attempt): boolean {
  const [a, b] = [one.ids[0], other.ids[0]];
  // The same transaction is not another restore.
  if (a !== undefined && other.ids.includes(a)) return false;
  if (a !== undefined && b !== undefined && isDecimalId(a) && isDecimalId(b)) return BigInt(a) < BigInt(b);
  const [from, to] = [parseStamp(one.ended?.requestedAt), parseStamp(other.ended?.requestedAt)];
  if (from !== undefined && to?.namesZone === from.namesZone) return from.at < to.at;
  // On a panel that shows neither, the order in which they were sent, by our own clock. What is not known may have come later.
  return !(Date.parse(one.sent.at) >= Date.parse(other.sent.at));
}
