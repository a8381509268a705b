import { isDecimalId } from "../../provider/panel/types";
import { parseStamp } from "../../provider/plain/clock";
import { type Attempt, whatHappened } from "./history";
import type { RestoreEvent } from "./stored";

/** A restore of a machine, in a plan or outside a plan. */
export interface MachineRestore {
  readonly name: string;
  /** Undefined if it is a secret: then it is unknown whether another restore has the same machine. */
  readonly machine: string | undefined;
  readonly panel?: string | undefined;
  readonly attempts: readonly Attempt[];
  readonly counts?: Attempt | undefined;
}

/** The restores of a record that are no longer requested: they count for nothing, but the machine is as they left it. */
export function takenOut(
  record: Readonly<Record<string, readonly RestoreEvent[]>>,
  asked: readonly string[],
): readonly MachineRestore[] {
  return Object.entries(record).flatMap(([name, events]) => {
    const { attempts } = whatHappened(events, undefined);
    const machine = attempts.at(-1)?.sent.machine;
    return asked.includes(name) || machine === undefined ? [] : [{ name, machine, attempts }];
  });
}

export interface Overwriting {
  readonly name: string;
  readonly transactionId: string;
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
    for (const attempt of restore.attempts) {
      const { machine, paths } = attempt.sent;
      if (!mayHaveWritten(attempt) || paths !== undefined || machine === undefined) continue;
      const known = wholeByMachine.get(machine) ?? [];
      known.push({ restore, attempt });
      wholeByMachine.set(machine, known);
    }
  const found = new Map<Restore, Overwriting>();
  for (const restore of all) {
    const { counts, panel } = restore;
    if (counts?.ended?.status !== "complete") continue;
    const over = wholeByMachine
      .get(counts.sent.machine)
      ?.find(
        (one) =>
          one.attempt !== counts &&
          (panel === undefined || one.restore.panel === undefined || one.restore.panel === panel) &&
          isBefore(counts, one.attempt),
      );
    if (over !== undefined)
      found.set(restore, { name: over.restore.name, transactionId: over.attempt.ids[0] ?? "of an unknown id" });
  }
  return found;
}

/** True if the machine was, or may be, written: a restore that is under way, failed or was cancelled leaves a machine in any state. */
function mayHaveWritten({ ids, ended }: Attempt): boolean {
  return ended !== undefined || ids.length > 0;
}

/** True if one restore came before another on their panel. Ids of one job need not be next to each other. */
function isBefore(one: Attempt, other: Attempt): boolean {
  const [a, b] = [one.ids[0], other.ids[0]];
  // The same transaction is not another restore.
  if (a !== undefined && other.ids.includes(a)) return false;
  if (a !== undefined && b !== undefined && isDecimalId(a) && isDecimalId(b)) return BigInt(a) < BigInt(b);
  const [from, to] = [parseStamp(one.ended?.requestedAt), parseStamp(other.ended?.requestedAt)];
  if (from !== undefined && to?.namesZone === from.namesZone) return from.at < to.at;
  // On a panel that shows neither, the order in which they were sent, by our own clock.
  return Date.parse(one.sent.at) < Date.parse(other.sent.at);
}
