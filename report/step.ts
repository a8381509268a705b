import { dataAge } from "../drills/judge/goals";
import { type Attempt, attemptState, checkResults, pointIdOf, type RestoreState } from "../drills/judge/history";
import { isOfPoint, notCompleteText, pointTakenAt, type StateRestore } from "../drills/judge/restores";
import type { Entry } from "../drills/judge/stored";
import { type PointRule, ruleText } from "../provider/inputs/read-point-rule";
import { secondsBetween } from "../provider/plain/clock";
import { omitUndefined } from "../provider/plain/plain";
import { maxLengths, safeLog, safeText, reportStamp } from "./model/format";
import type { Check, ChosenBy, Counts, EarlierAttempt, Measured, Step } from "./model/model";

const mostPaths = 100;

/** A restore from a state, as a report shows it. */
export function stepOf(
  restore: StateRestore,
  {
    name,
    incidentAt,
    logs,
  }: { readonly name: string; readonly incidentAt?: string | undefined; readonly logs: boolean },
): Step {
  const { planned, entry, happened, record, time } = restore;
  const { counts } = happened;
  const ended = counts?.ended;
  const isNamed = counts?.sent.did === "adopted" && counts.sent.why === "named";
  const asked = pointIdOf(entry);
  const isOfOtherPoint = counts !== undefined && entry !== undefined && !isOfPoint(counts.sent, entry);
  const takenAt = pointTakenAt(planned ?? {}, entry, happened);
  const rule = ruleOf(restore);
  // Without a plan, a record without a counted attempt belongs to an earlier request.
  const attempts = restore.plan === undefined && counts === undefined ? [] : happened.attempts;
  const earlier = attempts.filter((one) => one !== counts).map(earlierAttemptOf);
  const paths = entry?.paths ?? planned?.paths;
  return omitUndefined<Step>({
    name,
    kind: restore.kind,
    virtualMachineId: safeText(restore.machine ?? "secret", maxLengths.id),
    // For a transaction named by `adopt`, only its row shows the point.
    recoveryPointId: optionalText(
      isNamed ? counts.sent.point : (counts?.sent.point ?? asked ?? planned?.point),
      maxLengths.id,
    ),
    recoveryPointTakenAt: reportStamp(takenAt),
    chosenBy: rule && !isOfOtherPoint ? chosenByOf(rule, entry) : undefined,
    paths: paths?.slice(0, mostPaths).map((path) => safeText(path)),
    state: restore.state,
    reason: optionalText(reasonOf(restore)),
    adopted: counts?.sent.did === "adopted",
    transactionIds: (counts?.ids ?? []).map((id) => safeText(id, maxLengths.id)),
    requestedAt: reportStamp(ended?.requestedAt ?? record?.requestedAt),
    startedAt: reportStamp(ended?.startedAt ?? record?.startedAt),
    finishedAt: reportStamp(ended?.finishedAt),
    queuedSeconds: secondsBetween(ended?.requestedAt, ended?.startedAt),
    ranSeconds: secondsBetween(ended?.startedAt, ended?.finishedAt),
    recoveredSeconds: time?.seconds,
    recoveredFrom: reportStamp(time?.firstAt),
    clock: time?.clock,
    dataAgeSeconds: dataAge({ happened, takenAt }, incidentAt)?.seconds,
    checks: checksOf(restore),
    earlierAttempts: earlier.length === 0 ? undefined : earlier,
    warnings: (ended?.warnings ?? []).map((text) => safeText(text)),
    log: logs && restore.log !== undefined && restore.log !== "" ? safeLog(restore.log) : undefined,
  });
}

function optionalText(text: string | undefined, most?: number): string | undefined {
  return text === undefined ? undefined : safeText(text, most);
}

function ruleOf({ entry, planned }: StateRestore): PointRule | undefined {
  if (entry !== undefined) return typeof entry.point === "string" ? undefined : entry.point;
  return planned?.rule;
}

function chosenByOf(rule: PointRule, entry: Entry | undefined): ChosenBy {
  const { listed, fitted, incidentAt } = entry?.chosen ?? {};
  return omitUndefined<ChosenBy>({
    rule: safeText(ruleText(rule), maxLengths.name),
    listed,
    fitted,
    incidentAt: reportStamp(incidentAt),
  });
}

/** Why a restore is not complete, worded to follow the restore's name. Undefined if it is complete. */
function reasonOf(restore: StateRestore): string | undefined {
  const { state, happened, checks, whyOverwritten } = restore;
  if (whyOverwritten !== undefined) return whyOverwritten;
  if (state !== "not checked") return notCompleteText(restore);
  const open = checkResults(happened.counts, checks).filter(({ event }) => event?.passed !== true);
  return open.map(({ name, event }) => `check ${name} ${event ? "did not pass" : "has not run"}`).join(", ");
}

function checksOf({ happened, checks, planned }: StateRestore): readonly Check[] {
  return checkResults(happened.counts, checks).map(({ name, event }) =>
    omitUndefined<Check>({
      name: safeText(name, maxLengths.name),
      kind: planned?.checks.find((one) => one.name === name)?.kind,
      result: event === undefined ? "not run" : event.passed ? "passed" : "failed",
      attempts: event?.attempts,
      seconds: event?.seconds,
      reason: optionalText(event?.why),
      later: event?.later,
      failedBefore:
        happened.counts?.checks.some((one) => one !== event && !one.passed && one.check === name) === true || undefined,
    }),
  );
}

function earlierAttemptOf(attempt: Attempt): EarlierAttempt {
  const { ids, ended } = attempt;
  return omitUndefined<EarlierAttempt>({
    state: attemptState(attempt),
    transactionIds: ids.map((id) => safeText(id, maxLengths.id)),
    requestedAt: reportStamp(ended?.requestedAt),
    finishedAt: reportStamp(ended?.finishedAt),
  });
}

export function countsOf(steps: readonly Step[]): Counts {
  const states: Partial<Record<RestoreState, number>> = {};
  for (const { state } of steps) states[state] = (states[state] ?? 0) + 1;
  const checks = steps.flatMap((step) => step.checks);
  const having = (result: Check["result"]): number => checks.filter((check) => check.result === result).length;
  return {
    planned: steps.length,
    complete: states.complete ?? 0,
    states,
    checks: { passed: having("passed"), failed: having("failed"), notRun: having("not run") },
  };
}

export function measuredOf(steps: readonly Step[], recoveryTimeSeconds?: number): Measured {
  return omitUndefined<Measured>({
    recoveryTimeSeconds,
    slowest: highest(steps, ({ recoveredSeconds }) => recoveredSeconds),
    oldestData: highest(steps, ({ dataAgeSeconds }) => dataAgeSeconds),
  });
}

function highest(steps: readonly Step[], of: (step: Step) => number | undefined): Measured["slowest"] {
  let most: Measured["slowest"];
  for (const step of steps) {
    const seconds = of(step);
    if (seconds !== undefined && (most === undefined || seconds > most.seconds)) most = { restore: step.name, seconds };
  }
  return most;
}
