import { checkLabel, type StoredCheck } from "../inputs/read-check";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { formatElapsed, latestStamp, secondsBetween } from "../plain/clock";
import { omitUndefined, deepEqual, omit } from "../plain/plain";
import type { WaveRestore } from "./wave-input";
import { recoveredSeconds } from "./verdict";
import type { StoredStep, StoredTry } from "./stored";

/** The moment at which this process noticed the end of a restore. */
export interface NoticedEnd {
  readonly noticedAt: string;
  readonly noticedAfterSeconds?: number;
}

/** The parts of a posting's stored step that a later run reuses: it waits for no known end again and repeats no passed check. */
export type Reusable =
  | { readonly how: "wait"; readonly record: RestoreRecord }
  | {
      readonly how: "ended";
      readonly record: RestoreRecord;
      readonly noticedEnd: NoticedEnd;
      /** The stored result of each check; undefined for a check that was added since. */
      readonly checks: readonly (StoredCheck | undefined)[];
    };

export function reusableFrom(restore: WaveRestore, stored: StoredStep | undefined): Reusable {
  if (stored?.posting !== restore.posting) return { how: "wait", record: restore.record };
  const record = recordOfStep(stored);
  if (!isFinished(record.status) || stored.noticedAt === undefined) {
    // Prefer the record that knows more: a refresh follows one transaction, a wave may follow several candidates.
    const isOfAll = record.transactionIds.every((id) => restore.record.transactionIds.includes(id));
    const knowsMore = (isFinished(restore.record.status) && isOfAll) || record.transactionIds.length === 0;
    return { how: "wait", record: knowsMore ? restore.record : record };
  }
  const { noticedAt, noticedAfterSeconds } = stored;
  return {
    how: "ended",
    record,
    noticedEnd: { noticedAt, ...(noticedAfterSeconds !== undefined && { noticedAfterSeconds }) },
    checks: restore.checks.map(({ id }) => stored.checks.find((before) => id !== undefined && before.id === id)),
  };
}

/** True if a restore asks for the same as its stored step. The restore's own record does not count. */
export function isSameStep(restore: WaveRestore, stored: StoredStep | undefined): boolean {
  if (stored === undefined) return false;
  const shape = (step: WaveRestore | StoredStep): unknown => ({
    posting: step.posting,
    // Unknown in a preview in which the run changes.
    revision: restore.revision === undefined ? undefined : step.revision,
    isOverwritten: "request" in step ? step.overwrittenBy !== undefined : step.status === "overwritten",
    taken: step.recoveryPointTakenAt,
    rule: ruleInForce(step),
    checks: step.checks.map(({ kind, name, target, expects, everySeconds, withinSeconds, afterSeconds }) => [
      kind,
      name,
      target,
      expects,
      everySeconds,
      withinSeconds,
      afterSeconds,
    ]),
  });
  return deepEqual(shape(restore), shape(stored));
}

function ruleInForce(step: WaveRestore | StoredStep): unknown {
  return "request" in step ? step.request.target.recoveryPoint : step.recoveryPoint;
}

/** Facts about a step that its record does not hold. */
export interface StepContext {
  readonly reason: string | undefined;
  readonly earlierTries: readonly StoredTry[];
  readonly runStartedAt: string | undefined;
  readonly isRecordedLate: boolean;
}

const maxPaths = 100;

export function storedStep(
  restore: WaveRestore,
  record: RestoreRecord,
  noticedEnd: NoticedEnd | undefined,
  checks: readonly StoredCheck[],
  { reason, earlierTries, runStartedAt, isRecordedLate }: StepContext,
): StoredStep {
  const { target } = restore.request;
  const { choice } = restore;
  const { warnings, postedAfter } = record;
  const known = omit(record, "logOutput", "warnings", "postedAfter", "tryMark", "machineTransactionIds");
  const ends = checks.flatMap(({ endedAt, addedLater: isAdded }) =>
    endedAt === undefined || isAdded === true ? [] : [endedAt],
  );
  const checkedAt = latestStamp(ends);
  const checkedSeconds = secondsBetween(noticedEnd?.noticedAt, checkedAt);
  const measured = {
    ...known,
    checks: checks.map((check, index) => withId(check, restore.checks[index]?.id)),
    ...(checkedAt !== undefined && { checkedAt }),
    ...(checkedSeconds !== undefined && { checkedSeconds }),
  };
  const recovered = recoveredSeconds({ ...measured, earlierTries });
  const noted = [lateNotice(noticedEnd, checks), addedNotice(checks)].filter((note) => note !== undefined);
  return {
    ...measured,
    kind: restore.kind,
    virtualMachineId: target.virtualMachineId,
    recoveryPointId: target.recoveryPointId ?? "not known",
    posting: restore.posting,
    ...(restore.revision !== undefined && { revision: restore.revision }),
    ...(runStartedAt !== undefined && { runStartedAt }),
    ...(isRecordedLate && { isRecordedLate }),
    warnings: [
      ...warnings.filter((warning) => !noted.includes(warning) && !warning.endsWith(addedLaterText)),
      ...noted,
    ],
    ...(restore.recoveryPointTakenAt !== undefined && { recoveryPointTakenAt: restore.recoveryPointTakenAt }),
    ...(target.recoveryPoint && { recoveryPoint: target.recoveryPoint }),
    ...(choice && { chosenFrom: omit(choice, "recoveryPointTakenAt", "warnings") }),
    ...(target.paths && { paths: target.paths.slice(0, maxPaths), pathCount: target.paths.length }),
    ...noticedEnd,
    ...(recovered !== undefined && { recoveredSeconds: recovered }),
    ...(reason !== undefined && { reason }),
    ...(!isFinished(record.status) && postedAfter && { postedAfter }),
  };
}

/** A check that the process of its restore began was not told its id. */
function withId(check: StoredCheck, id: string | undefined): StoredCheck {
  return id === undefined ? check : { ...check, id };
}

/** Longer than any pause between two reads of the list: only a run that was cut off is this late. */
const lateSeconds = 60;

/** For a run that was cut off: nobody checked the machine until the next run, and no figure holds that time. */
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

/** For a check that was added later: nobody knows when the machine would have passed it first. */
function addedNotice(checks: readonly StoredCheck[]): string | undefined {
  const added = checks.flatMap(({ addedLater: isAdded, ...check }, index) =>
    isAdded === true ? [`check ${String(index + 1)} (${checkLabel(check)})`] : [],
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
