import { formatDuration } from "../inputs/duration";
import type { StoredCheck, StoredCheckPlan } from "../inputs/read-check";
import { effectiveGoals, type StoredGoals } from "../inputs/read-goals";
import { isFinished } from "../inputs/record";
import { earliestStamp, namesZone, secondsBetween } from "../plain/clock";
import { isStoredFor } from "./stored-for";
import {
  type OverallVerdict,
  type StoredCounts,
  type StoredGoal,
  type StoredRun,
  type StoredStep,
  type StoredVerdict,
  type StoredWave,
} from "./stored";

/** What of a run the verdict rests on. */
export type AssessedRun = Pick<StoredRun, "plan" | "run" | "asGiven" | "incidentAt" | "hashes">;

/**
 * What a run comes to. Nothing but what was stored under the name of this run counts; what is missing there was not carried out, and
 * what is unknown never passes.
 */
export function verdictOfRun(run: AssessedRun, waves: readonly StoredWave[], decidedAt: string): StoredVerdict {
  const planned = restoresOfPlan(run, waves);
  const { onMissedGoal, wholeGoals } = run.asGiven;
  const incidentAt = run.incidentAt ?? firstRequestOfAll(planned);
  const assessment = assess(planned, { onMissedGoal, wholeGoals, incidentAt });
  const { recoveryTimeSeconds, goals } = assessment;
  const { verdict, reasons } = overallVerdict(assessment);
  const counts = countsOf(planned);
  const slowest = slowestOf(planned);
  return {
    formatVersion: 1,
    plan: run.plan,
    run: run.run,
    verdict,
    reasons,
    ...(recoveryTimeSeconds !== undefined && { recoveryTimeSeconds }),
    ...(slowest && { slowest }),
    counts,
    goals,
    decidedAt,
  };
}

/** A restore that is planned, and what is known of it in this run. */
export interface AssessedRestore<Step extends AssessedStep = AssessedStep> {
  /** Absent where there is no plan. */
  readonly wave?: string;
  readonly name: string;
  readonly goals: StoredGoals;
  readonly step?: Step;
  /** What there is instead of a step, where more is known than that. @default "was not carried out" */
  readonly missing?: string;
}

/** What of a restore the verdict rests on. */
export interface AssessedStep extends Pick<
  StoredStep,
  "requestedAt" | "finishedAt" | "durationSeconds" | "checkedSeconds" | "recoveryPointTakenAt" | "adopted" | "warnings"
> {
  readonly status: string;
  readonly checks: readonly AssessedCheck[];
  readonly earlierTries?: readonly { readonly status: string; readonly requestedAt?: string }[];
}

type AssessedCheck = Pick<StoredCheck, "result" | "reason" | "addedLater"> & {
  readonly kind: string;
  readonly target: string;
};

/** What restores come to, whether or not there is a plan: the rules of a run's verdict, and of the report of it. */
export interface Assessment {
  readonly goals: readonly StoredGoal[];
  readonly recoveryTimeSeconds?: number;
  /** Why it fails, what is not known, and what is worth knowing, in sentences. */
  readonly failures: readonly string[];
  readonly gaps: readonly string[];
  /** Goals that could not be measured because a restore is not back, which a failure or a gap says already. */
  readonly restatedGaps: readonly string[];
  readonly warnings: readonly string[];
}

/** What restores are judged by. */
export interface AssessmentBasis {
  readonly onMissedGoal: "fail" | "warn";
  readonly wholeGoals?: Pick<StoredGoals, "recoveryTimeSeconds"> | undefined;
  /** What the data's age is measured against. */
  readonly incidentAt: string | undefined;
}

export function assess(planned: readonly AssessedRestore[], basis: AssessmentBasis): Assessment {
  const { incidentAt, wholeGoals } = basis;
  const recoveryTimeSeconds = wholePlanSeconds(planned);
  const goals = [
    ...planned.flatMap(({ name, goals: wanted, step }) => [
      goalResult("recoveryTime", name, wanted.recoveryTimeSeconds, step && recoveredSeconds(step)),
      goalResult(
        "dataAge",
        name,
        wanted.dataAgeSeconds,
        step && dataAgeForGoal(step, incidentAt, wanted.dataAgeSeconds),
      ),
    ]),
    goalResult("recoveryTime", undefined, wholeGoals?.recoveryTimeSeconds, recoveryTimeSeconds),
  ];
  return {
    goals,
    ...(recoveryTimeSeconds !== undefined && { recoveryTimeSeconds }),
    ...collectFindings(planned, goals, basis),
  };
}

/** When the first of all restores was requested, earlier tries included. */
export function firstRequestOfAll(planned: readonly AssessedRestore[]): string | undefined {
  return earliestStamp(planned.map(({ step }) => step && firstRequestOf(step)));
}

/** Whether `pulumi up` fails over a verdict. A goal that could not be measured counts as one that was missed. */
export function failsTheRun(
  { verdict, counts }: Pick<StoredVerdict, "verdict" | "counts">,
  onMissedGoal: "fail" | "warn",
): boolean {
  if (verdict === "failed") return true;
  if (verdict !== "incomplete") return false;
  return onMissedGoal === "fail" || counts.unfinished + counts.notCarriedOut + counts.checks.notRun > 0;
}

/**
 * How old the data is that a restore has brought back: data that was not restored has no age, however young its recovery point is. A point
 * taken after the incident has no age before it.
 */
export function dataAge(
  { status, recoveryPointTakenAt }: Pick<AssessedStep, "status" | "recoveryPointTakenAt">,
  incidentAt: string | undefined,
): number | undefined {
  return status === "complete" ? secondsBetween(recoveryPointTakenAt, incidentAt) : undefined;
}

/** While a restore has not been seen to end, one thing is certain: from a point that is too old, it can only miss its goal. */
function dataAgeForGoal(
  step: Pick<AssessedStep, "status" | "recoveryPointTakenAt">,
  incidentAt: string | undefined,
  targetSeconds: number | undefined,
): number | undefined {
  if (isFinished(step.status)) return dataAge(step, incidentAt);
  const ageOfPoint = secondsBetween(step.recoveryPointTakenAt, incidentAt) ?? 0;
  return targetSeconds !== undefined && ageOfPoint > targetSeconds ? ageOfPoint : undefined;
}

/**
 * From the request to the last check. Without checks nothing but the panel's stamps counts; with them the two parts are each a
 * difference on one clock. A machine that came back at the second try was down during the first one, too, and one that has passed its
 * checks is not late for a check that was added since.
 */
export function recoveredSeconds(
  step: Pick<
    AssessedStep,
    "status" | "durationSeconds" | "checks" | "checkedSeconds" | "earlierTries" | "requestedAt" | "finishedAt"
  >,
): number | undefined {
  if (step.status !== "complete" || step.checks.some(({ result }) => result !== "passed")) return undefined;
  const isTriedAgain = (step.earlierTries ?? []).length > 0;
  const restored = isTriedAgain ? secondsBetween(firstRequestOf(step), step.finishedAt) : step.durationSeconds;
  const checksWith = step.checks.some(({ addedLater }) => addedLater !== true) ? step.checkedSeconds : 0;
  return restored === undefined || checksWith === undefined ? undefined : restored + checksWith;
}

/** From the first request to the last end or check. Known only when all of them are back. */
function wholePlanSeconds(planned: readonly AssessedRestore[]): number | undefined {
  const first = firstRequestOfAll(planned);
  let last: number | undefined;
  for (const { step } of planned) {
    if (step?.requestedAt === undefined || recoveredSeconds(step) === undefined) return undefined;
    const endedAs = secondsBetween(first, step.finishedAt);
    if (endedAs === undefined) return undefined;
    last = Math.max(last ?? 0, endedAs + (step.checkedSeconds ?? 0));
  }
  return last;
}

function goalResult(
  goal: StoredGoal["goal"],
  restore: string | undefined,
  targetSeconds: number | undefined,
  measuredSeconds: number | undefined,
): StoredGoal {
  const about = {
    ...(restore === undefined ? { scope: "whole" as const } : { scope: "restore" as const, restore }),
    goal,
  };
  const measured = measuredSeconds === undefined ? {} : { measuredSeconds };
  if (targetSeconds === undefined) return { ...about, ...measured, verdict: "not set" };
  if (measuredSeconds === undefined) return { ...about, targetSeconds, verdict: "not measured" };
  const marginSeconds = targetSeconds - measuredSeconds;
  return { ...about, targetSeconds, measuredSeconds, marginSeconds, verdict: marginSeconds >= 0 ? "met" : "missed" };
}

function countsOf(planned: readonly AssessedRestore<StoredStep>[]): StoredCounts {
  const steps = planned.flatMap(({ step }) => (step === undefined ? [] : [step]));
  const endedAs = (status: string): number => steps.filter((step) => step.status === status).length;
  const checks = steps.flatMap((step) => step.checks);
  const checksWith = (result: string): number => checks.filter((check) => check.result === result).length;
  const [complete, failed, cancelled] = [endedAs("complete"), endedAs("failed"), endedAs("cancelled")];
  return {
    planned: planned.length,
    complete,
    failed,
    cancelled,
    unfinished: steps.length - complete - failed - cancelled,
    notCarriedOut: planned.length - steps.length,
    adopted: steps.filter((step) => step.adopted).length,
    checks: { passed: checksWith("passed"), failed: checksWith("failed"), notRun: checksWith("not run") },
  };
}

function slowestOf(planned: readonly AssessedRestore[]): StoredVerdict["slowest"] {
  let slowest: StoredVerdict["slowest"];
  for (const { name, step } of planned) {
    const seconds = step && (recoveredSeconds(step) ?? step.durationSeconds);
    if (seconds !== undefined && (slowest === undefined || seconds > slowest.seconds)) {
      slowest = { restore: name, seconds };
    }
  }
  return slowest;
}

function collectFindings(
  planned: readonly AssessedRestore[],
  goals: readonly StoredGoal[],
  { onMissedGoal, incidentAt }: AssessmentBasis,
): Pick<Assessment, "failures" | "gaps" | "restatedGaps" | "warnings"> {
  const failures: string[] = [];
  const gaps: string[] = [];
  const restatedGaps: string[] = [];
  const warnings: string[] = [];
  for (const { wave, name, step, missing = "was not carried out" } of planned) {
    const who = wave === undefined ? name : `${name} (wave ${wave})`;
    if (step === undefined) gaps.push(`${who} ${missing}`);
    else if (step.status === "failed" || step.status === "cancelled")
      failures.push(`${who}: the restore ended as ${step.status}`);
    else if (step.status !== "complete")
      gaps.push(`${who}: the restore has not been seen to end, last seen ${step.status}`);
    for (const [index, check] of (step?.checks ?? []).entries()) {
      const which = `${who}: check ${String(index + 1)} (${check.kind} ${check.target})`;
      if (check.result === "failed")
        failures.push(`${which} did not pass${check.reason === undefined ? "" : `: ${check.reason}`}`);
      // After a restore that did not complete, that it was not run says nothing new.
      if (check.result === "not run" && step?.status === "complete") gaps.push(`${which} was not run`);
    }
    if (step?.adopted === true)
      warnings.push(`${who}: the restore was adopted, and is measured from its original request`);
    const tries = step?.earlierTries ?? [];
    if (tries.length > 0) warnings.push(`${who}: it is back ${triesText(tries)}`);
    for (const warning of step?.warnings ?? []) warnings.push(`${who}: ${warning}`);
  }
  for (const goal of goals) {
    if (goal.verdict === "missed") (onMissedGoal === "fail" ? failures : warnings).push(missedGoalText(goal));
    if (goal.verdict === "not measured")
      (isAllBack(goal, planned) ? gaps : restatedGaps).push(unmeasuredGoalText(goal, planned, incidentAt));
  }
  if (planned.length === 0) gaps.push("nothing was planned");
  return { failures, gaps, restatedGaps, warnings };
}

/** Whether everything that a goal is about is complete and has passed its checks. */
function isAllBack({ restore }: StoredGoal, planned: readonly AssessedRestore[]): boolean {
  return planned
    .filter(({ name }) => restore === undefined || name === restore)
    .every(({ step }) => step?.status === "complete" && step.checks.every(({ result }) => result === "passed"));
}

function overallVerdict({ failures, gaps: own, restatedGaps, warnings }: Assessment): {
  readonly verdict: OverallVerdict;
  readonly reasons: readonly string[];
} {
  const gaps = [...own, ...restatedGaps];
  // A gap that a failure explains is still one: the reasons hold both.
  if (failures.length > 0) return { verdict: "failed", reasons: [...failures, ...gaps] };
  if (gaps.length > 0) return { verdict: "incomplete", reasons: gaps };
  return warnings.length > 0
    ? { verdict: "passed with warnings", reasons: warnings }
    : { verdict: "passed", reasons: [] };
}

/** `at try 3: the first ended as failed`, for a machine that did not come back at once. */
function triesText(tries: NonNullable<AssessedStep["earlierTries"]>): string {
  const ends = [...new Set(tries.map(({ status }) => status))].join(" or ");
  return `at try ${String(tries.length + 1)}: ${tries.length === 1 ? "the one before was" : "those before were"} last seen ${ends}, and its time counts from the first`;
}

const goalWords = { recoveryTime: "recovery time", dataAge: "data age" } as const;

function missedGoalText({ restore, goal, measuredSeconds = 0, targetSeconds = 0 }: StoredGoal): string {
  const about = restore === undefined ? "the whole plan" : restore;
  return `${about}: the ${goalWords[goal]} was ${formatDuration(measuredSeconds)}, the goal is ${formatDuration(targetSeconds)}`;
}

function unmeasuredGoalText(
  goal: StoredGoal,
  planned: readonly AssessedRestore[],
  incidentAt: string | undefined,
): string {
  const { restore, targetSeconds = 0 } = goal;
  const about = restore === undefined ? "the whole plan" : restore;
  return `${about}: the ${goalWords[goal.goal]} could not be measured against its goal of ${formatDuration(targetSeconds)}: ${whyUnmeasured(goal, planned, incidentAt)}`;
}

function whyUnmeasured(
  { restore, goal }: StoredGoal,
  planned: readonly AssessedRestore[],
  incidentAt: string | undefined,
): string {
  const partUnknown = "a part of it is not known";
  if (restore === undefined) return partUnknown;
  const step = planned.find(({ name }) => name === restore)?.step;
  if (step === undefined) return "it was not carried out";
  if (!isFinished(step.status)) return "the restore has not been seen to end";
  if (step.status !== "complete") return "the restore did not complete";
  if (goal !== "dataAge") return partUnknown;
  return step.recoveryPointTakenAt !== undefined && incidentAt !== undefined && !namesZone(incidentAt)
    ? "the panel's stamps name no zone, so that the first request may be any moment of a day; give incidentAt"
    : "recoveryPointTakenAt is not given, or is after the incident";
}

/**
 * Each restore of the plan with what was stored of it. A wave may be of another run, or of the plan as it was before a change: `--target`
 * leaves out whatever it does not name. What such a wave holds says nothing about what is planned now.
 */
function restoresOfPlan(
  { run, asGiven, hashes = {} }: Pick<StoredRun, "run" | "asGiven" | "hashes">,
  waves: readonly StoredWave[],
): readonly AssessedRestore<StoredStep>[] {
  return asGiven.waves.flatMap((wave, index) => {
    const rounds = waves.filter((stored) => stored.run === run && stored.index === index && stored.name === wave.name);
    const steps = new Map(rounds.flatMap(({ restores }) => Object.entries(restores)));
    return Object.entries(wave.restores).map(([name, restore]) => {
      const stored = steps.get(name);
      const step =
        stored && isStoredFor(restore, hashes[name], stored) ? withAllChecks(restore.checks, stored) : undefined;
      const goals = effectiveGoals(restore.goals, wave.goals, asGiven.goals);
      return { wave: wave.name, name, goals, ...(step && { step }) };
    });
  });
}

/** A check that is planned and of which nothing is stored was not run; nor was one that came to anything else than is known here. */
function withAllChecks(planned: readonly StoredCheckPlan[], step: StoredStep): StoredStep {
  const missing = planned.filter(({ kind, target }, index) => {
    const stored = step.checks[index];
    return stored?.kind !== kind || stored.target !== target;
  });
  const notRun = (check: StoredCheckPlan): StoredCheck => ({ ...check, result: "not run", tries: 0 });
  const stored = step.checks.map((check) =>
    check.result === "passed" || check.result === "failed" ? check : { ...check, result: "not run" as const },
  );
  return { ...step, checks: [...stored, ...missing.map(notRun)] };
}

/** When a run first asked for a restore, whatever came of that try. */
export function firstRequestOf({
  earlierTries = [],
  requestedAt,
}: Pick<AssessedStep, "earlierTries" | "requestedAt">): string | undefined {
  return earliestStamp([...earlierTries.map((one) => one.requestedAt), requestedAt]);
}
