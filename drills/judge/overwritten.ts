import { isDecimalId } from "../../provider/panel/types";
import { parseStamp } from "../../provider/plain/clock";
import type { Attempt } from "./history";

/** A restore of a machine, in a plan or beside one. */
export interface MachineRestore {
  readonly name: string;
  readonly machine: string;
  readonly panel?: string | undefined;
  readonly attempts: readonly Attempt[];
  readonly counts?: Attempt | undefined;
}

export interface Overwriting {
  readonly name: string;
  readonly transactionId: string;
}

/**
 * Which complete restores do not count, because their whole machine was restored after them, by whatever resource. Restores of one machine are compared by
 * the order of their transactions.
 */
export function findOverwritten<Restore extends MachineRestore>(
  all: readonly Restore[],
): ReadonlyMap<Restore, Overwriting> {
  const wholeByMachine = new Map<string, { readonly restore: Restore; readonly attempt: Attempt }[]>();
  for (const restore of all)
    for (const attempt of restore.attempts) {
      if (!isRestored(attempt) || attempt.sent.paths !== undefined) continue;
      const known = wholeByMachine.get(attempt.sent.machine) ?? [];
      known.push({ restore, attempt });
      wholeByMachine.set(attempt.sent.machine, known);
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

/** True if the machine was written, also where a later part of the job failed. */
function isRestored({ ended }: Attempt): boolean {
  return ended?.status === "complete" || ended?.failedPart !== undefined;
}

/** True if one restore came before another on their panel. Ids of one job need not be next to each other. */
function isBefore(one: Attempt, other: Attempt): boolean {
  const [a, b] = [one.ids[0], other.ids[0]];
  // The same transaction is no other restore.
  if (a !== undefined && other.ids.includes(a)) return false;
  if (a !== undefined && b !== undefined && isDecimalId(a) && isDecimalId(b)) return BigInt(a) < BigInt(b);
  const [from, to] = [parseStamp(one.ended?.requestedAt), parseStamp(other.ended?.requestedAt)];
  if (from !== undefined && to?.namesZone === from.namesZone) return from.at < to.at;
  // A panel that shows neither: the order in which they were sent, by our own clock.
  return Date.parse(one.sent.at) < Date.parse(other.sent.at);
}
