import type { StoredCheck } from "../inputs/read-check";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { formatElapsed, latestStamp, secondsBetween } from "../plain/clock";
import { omitUndefined, deepEqual, omit } from "../plain/plain";
import type { WaveCheck, WaveRestore } from "./wave-input";
import { dataAge, recoveredSeconds } from "./verdict";
import type { StoredStep, StoredTry } from "./stored";

/** When the end of a restore was noticed. */
export interface NoticedEnd {
  readonly noticedAt: string;
  readonly noticedAfterSeconds?: number;
}

/** What is kept of an earlier look at the same posting: what has ended is not waited for again, and what has passed is not checked again. */
export type Reusable =
  | { readonly how: "anew"; readonly record: RestoreRecord }
  | {
      readonly how: "ended";
      readonly record: RestoreRecord;
      readonly noticedEnd: NoticedEnd;
      /** What is stored of each check that is asked for, whatever it came to; undefined for one that was added since. */
      readonly checks: readonly (StoredCheck | undefined)[];
    };

/** `sameProbe` tells whether the check at a place asks the same as the one at another place did when it was stored. */
export function reusableFrom(
  asked: WaveRestore,
  stored: StoredStep | undefined,
  isSameProbe: (index: number, before: number) => boolean,
): Reusable {
  if (stored?.posting !== asked.posting) return { how: "anew", record: asked.record };
  const record = recordOfStep(stored);
  if (!isFinished(record.status) || stored.noticedAt === undefined) {
    // A refresh may have seen more than the wave did, and the wave more than the restore: transactions that may each be it, and a refresh sees one.
    const isOfAll = record.transactionIds.every((id) => asked.record.transactionIds.includes(id));
    const knowsMore = (isFinished(asked.record.status) && isOfAll) || record.transactionIds.length === 0;
    return { how: "anew", record: knowsMore ? asked.record : record };
  }
  const { noticedAt, noticedAfterSeconds } = stored;
  return {
    how: "ended",
    record,
    noticedEnd: { noticedAt, ...(noticedAfterSeconds !== undefined && { noticedAfterSeconds }) },
    checks: asked.checks.map((check, index) =>
      stored.checks.find((before, place) => isSameProbe(index, place) && sameCheck(check, before)),
    ),
  };
}

function sameCheck(asked: WaveCheck, stored: StoredCheck): boolean {
  return asked.kind === stored.kind && asked.target === stored.target;
}

/** Whether what is asked for is what a stored step was asked for. What the restore itself has stored since does not count. */
export function isSameStep(asked: WaveRestore, stored: StoredStep | undefined): boolean {
  if (stored === undefined) return false;
  const shape = (step: WaveRestore | StoredStep): unknown => ({
    posting: step.posting,
    goals: step.goals,
    // An earlier release stored none, and where no key is known there is none to be compared.
    madeFor: asked.madeFor === undefined ? undefined : step.madeFor,
    taken: step.recoveryPointTakenAt,
    rule: ruleInForce(step),
    checks: step.checks.map(({ kind, target, everySeconds, withinSeconds, afterSeconds }) => [
      kind,
      target,
      everySeconds,
      withinSeconds,
      afterSeconds,
    ]),
  });
  return deepEqual(shape(asked), shape(stored));
}

function ruleInForce(step: WaveRestore | StoredStep): unknown {
  return "request" in step ? step.request.target.recoveryPoint : step.recoveryPoint;
}

/** What is known of a step beside its own record. */
export interface StepContext {
  readonly incidentAt: string | undefined;
  readonly reason: string | undefined;
  readonly earlierTries: readonly StoredTry[];
}

const maxPaths = 100;

export function storedStep(
  asked: WaveRestore,
  record: RestoreRecord,
  noticedEnd: NoticedEnd | undefined,
  checks: readonly StoredCheck[],
  { incidentAt, reason, earlierTries }: StepContext,
): StoredStep {
  const { target } = asked.request;
  const { choice } = asked;
  const { warnings, postedAfter } = record;
  const known = omit(record, "logOutput", "warnings", "postedAfter");
  const ends = checks.flatMap(({ endedAt, addedLater: isAdded }) =>
    endedAt === undefined || isAdded === true ? [] : [endedAt],
  );
  const checkedAt = latestStamp(ends);
  const checkedSeconds = secondsBetween(noticedEnd?.noticedAt, checkedAt);
  const measured = {
    ...known,
    checks,
    ...(earlierTries.length > 0 && { earlierTries }),
    ...(checkedAt !== undefined && { checkedAt }),
    ...(checkedSeconds !== undefined && { checkedSeconds }),
  };
  const recovered = recoveredSeconds(measured);
  const age = dataAge({ ...asked, status: record.status }, incidentAt);
  const noted = [lateNotice(noticedEnd, checks), addedNotice(checks)].filter((note) => note !== undefined);
  return {
    ...measured,
    kind: asked.kind,
    urn: asked.urn,
    virtualMachineId: target.virtualMachineId,
    recoveryPointId: target.recoveryPointId ?? "not known",
    posting: asked.posting,
    ...(asked.madeFor !== undefined && { madeFor: asked.madeFor }),
    goals: asked.goals,
    warnings: [
      ...warnings.filter((warning) => !noted.includes(warning) && !warning.endsWith(addedLaterText)),
      ...noted,
    ],
    ...(asked.recoveryPointTakenAt !== undefined && { recoveryPointTakenAt: asked.recoveryPointTakenAt }),
    ...(target.recoveryPoint && { recoveryPoint: target.recoveryPoint }),
    ...(choice && { chosenFrom: omit(choice, "recoveryPointTakenAt", "warnings") }),
    ...(target.paths && { paths: target.paths.slice(0, maxPaths), pathCount: target.paths.length }),
    ...noticedEnd,
    ...(recovered !== undefined && { recoveredSeconds: recovered }),
    ...(age !== undefined && { dataAgeSeconds: age }),
    ...(reason !== undefined && { reason }),
    ...(!isFinished(record.status) && postedAfter && { postedAfter }),
  };
}

/** A minute: longer than any pause between two readings of the list, so only a run that was cut off is as late. */
const lateSeconds = 60;

/** For a run that was cut off: nobody checked until the next one, and that time is in no figure. */
function lateNotice(noticedEnd: NoticedEnd | undefined, checks: readonly StoredCheck[]): string | undefined {
  const after = noticedEnd?.noticedAfterSeconds;
  if (after === undefined || after <= lateSeconds || checks.length === 0) return undefined;
  return (
    `its end was noticed ${formatElapsed(after * 1_000)} after it, by the panel's clock: the checks began only then, and this ` +
    "time is not in the time it took to recover"
  );
}

const addedLaterText =
  ": added after the restore was looked at; measured by itself, and not in the time it took to recover";

/** For a check that was added to a run: when the machine would have passed it first, nobody knows. */
function addedNotice(checks: readonly StoredCheck[]): string | undefined {
  const added = checks.flatMap(({ kind, target, addedLater: isAdded }, index) =>
    isAdded === true ? [`check ${String(index + 1)} (${kind} ${target})`] : [],
  );
  if (added.length === 0) return undefined;
  return `${added.join(", ")}${addedLaterText}`;
}

function recordOfStep(step: StoredStep): RestoreRecord {
  const { status, transactionId, transactionIds, action, requestedAt, startedAt, finishedAt } = step;
  const { queuedSeconds, durationSeconds, adopted, warnings, postedAfter } = step;
  return omitUndefined<RestoreRecord>({
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
