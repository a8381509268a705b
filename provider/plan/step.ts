import type { StoredCheck } from "../inputs/read-check";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { elapsed } from "../plain/clock";
import { present, same, without } from "../plain/plain";
import type { AskedCheck, AskedRestore } from "./asked";
import { dataAge, recoveredSeconds, secondsFrom } from "./judge";
import type { StoredStep } from "./stored";

/** When the end of a restore was noticed. */
export interface Noticed {
  readonly noticedAt: string;
  readonly noticedAfterSeconds?: number;
}

/** What is kept of an earlier look at the same posting: what has ended is not waited for again, and what has passed is not checked again. */
export type Kept =
  | { readonly how: "anew"; readonly record: RestoreRecord }
  | {
      readonly how: "ended";
      readonly record: RestoreRecord;
      readonly noticed: Noticed;
      readonly checks: readonly (StoredCheck | undefined)[];
    };

/** `sameProbe` tells whether the check at a place asks the same as it did when it was stored. */
export function keptOf(
  asked: AskedRestore,
  stored: StoredStep | undefined,
  sameProbe: (index: number) => boolean,
): Kept {
  if (stored?.posting !== asked.posting) return { how: "anew", record: asked.record };
  const record = recordOfStep(stored);
  if (!isFinished(record.status) || stored.noticedAt === undefined) {
    // A refresh may have seen more than the wave did, and the wave more than the restore.
    const knowsMore = isFinished(asked.record.status) || record.transactionIds.length === 0;
    return { how: "anew", record: knowsMore ? asked.record : record };
  }
  const { noticedAt, noticedAfterSeconds } = stored;
  return {
    how: "ended",
    record,
    noticed: { noticedAt, ...(noticedAfterSeconds !== undefined && { noticedAfterSeconds }) },
    checks: asked.checks.map((check, index) => {
      const before = stored.checks[index];
      return before?.result === "passed" && sameProbe(index) && sameCheck(check, before) ? before : undefined;
    }),
  };
}

function sameCheck(asked: AskedCheck, stored: StoredCheck): boolean {
  return asked.kind === stored.kind && asked.target === stored.target;
}

/** Whether what is asked for is what a stored step was asked for. What the restore itself has stored since does not count. */
export function isSameStep(asked: AskedRestore, stored: StoredStep | undefined): boolean {
  if (stored === undefined) return false;
  const shape = (step: AskedRestore | StoredStep): unknown => ({
    posting: step.posting,
    goals: step.goals,
    taken: step.recoveryPointTakenAt,
    checks: step.checks.map(({ kind, target, everySeconds, withinSeconds, afterSeconds }) => [
      kind,
      target,
      everySeconds,
      withinSeconds,
      afterSeconds,
    ]),
  });
  return same(shape(asked), shape(stored));
}

const mostPaths = 100;

export function stepOf(
  asked: AskedRestore,
  record: RestoreRecord,
  noticed: Noticed | undefined,
  checks: readonly StoredCheck[],
  incidentAt: string | undefined,
  reason: string | undefined,
): StoredStep {
  const { target } = asked.plan;
  const { warnings, postedAfter } = record;
  const known = without(record, "logOutput", "warnings", "postedAfter");
  const ends = checks.flatMap((check) => (check.endedAt === undefined ? [] : [check.endedAt]));
  const checkedAt = ends.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
  const checkedSeconds = secondsFrom(noticed?.noticedAt, checkedAt);
  const measured = {
    ...known,
    checks,
    ...(checkedAt !== undefined && { checkedAt }),
    ...(checkedSeconds !== undefined && { checkedSeconds }),
  };
  const recovered = recoveredSeconds(measured);
  const age = dataAge({ ...asked, status: record.status }, incidentAt);
  const late = lateNotice(noticed, checks);
  return {
    ...measured,
    kind: asked.kind,
    urn: asked.urn,
    virtualMachineId: target.virtualMachineId,
    recoveryPointId: target.recoveryPointId,
    posting: asked.posting,
    goals: asked.goals,
    warnings: late === undefined || warnings.includes(late) ? warnings : [...warnings, late],
    ...(asked.recoveryPointTakenAt !== undefined && { recoveryPointTakenAt: asked.recoveryPointTakenAt }),
    ...(target.paths && { paths: target.paths.slice(0, mostPaths), pathCount: target.paths.length }),
    ...noticed,
    ...(recovered !== undefined && { recoveredSeconds: recovered }),
    ...(age !== undefined && { dataAgeSeconds: age }),
    ...(reason !== undefined && { reason }),
    ...(!isFinished(record.status) && postedAfter && { postedAfter }),
  };
}

/** A minute: longer than any pause between two readings of the list, so only a run that was cut off is as late. */
const lateSeconds = 60;

/** For a run that was cut off: nobody checked until the next one, and that time is in no figure. */
function lateNotice(noticed: Noticed | undefined, checks: readonly StoredCheck[]): string | undefined {
  const after = noticed?.noticedAfterSeconds;
  if (after === undefined || after <= lateSeconds || checks.length === 0) return undefined;
  return (
    `its end was noticed ${elapsed(after * 1_000)} after it, by the panel's clock: the checks began only then, and this ` +
    "time is not in the time it took to recover"
  );
}

function recordOfStep(step: StoredStep): RestoreRecord {
  const { status, transactionId, transactionIds, action, requestedAt, startedAt, finishedAt } = step;
  const { queuedSeconds, durationSeconds, adopted, warnings, postedAfter } = step;
  return present<RestoreRecord>({
    status,
    transactionIds,
    adopted,
    warnings,
    transactionId,
    action,
    requestedAt,
    startedAt,
    finishedAt,
    queuedSeconds,
    durationSeconds,
    logOutput: undefined,
    postedAfter,
  });
}
