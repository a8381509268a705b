import { formatDuration } from "../inputs/duration";
import { checkLabel, type StoredCheck } from "../inputs/read-check";
import type { StoredGoals } from "../inputs/read-goals";
import { isFinished } from "../inputs/record";
import { earliestStamp, namesZone, secondsBetween } from "../plain/clock";
import { changeWarnings, entriesNotPlanned } from "./changes";
import type { JudgedRun, JudgedStep, JudgedWave } from "./judged";
import type { OverallVerdict, StoredCounts, StoredGoal, StoredStep, StoredTry, StoredVerdict } from "./stored";

/**
 * Judges a run. Only records stored under the run's name count: a restore without one was not carried out, and nothing unknown passes.
 */
export function verdictOfRun(run: JudgedRun, waves: readonly JudgedWave[], decidedAt: string): StoredVerdict {
  const ofRun = waves.filter((wave) => wave.run === run.run);
  const planned = withOneTransactionEach(restoresOfPlan(run, ofRun));
  const { onMissedGoal, wholeGoals } = run.asked;
  const remarks = changeWarnings(
    run.history ?? [],
    entriesNotPlanned(
      run.asked.waves.map(({ name, restores }) => ({ wave: name, names: Object.keys(restores) })),
      ofRun,
    ),
    ofRun.flatMap(({ name: wave, restores }) =>
      Object.entries(restores).flatMap(([name, one]) => (one.isRecordedLate === true ? [{ ...one, wave, name }] : [])),
    ),
  );
  const assessment = assess(planned, { onMissedGoal, wholeGoals, incidentAt: run.incidentAt, remarks });
  const { recoveryTimeSeconds, goals } = assessment;
  const { verdict, reasons } = overallVerdict(assessment);
  const counts = countsOf(planned);
  const slowest = slowestOf(planned);
  const lastChangeAt = run.history?.at(-1)?.at;
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
    ...(lastChangeAt !== undefined && { lastChangeAt }),
    decidedAt,
  };
}

/** A restore to judge, with its step in this run if there is one. */
export interface AssessedRestore<Step extends AssessedStep = AssessedStep> {
  /** Absent for restores without a plan. */
  readonly wave?: string;
  readonly name: string;
  readonly goals: StoredGoals;
  readonly step?: Step;
  /** Says why there is no step. @default "was not carried out" */
  readonly missing?: string;
}

/** The part of a step that the verdict depends on. */
export interface AssessedStep extends Pick<
  StoredStep,
  "requestedAt" | "finishedAt" | "durationSeconds" | "checkedSeconds" | "recoveryPointTakenAt" | "adopted" | "warnings"
> {
  readonly status: string;
  /** Why a complete restore is not counted. */
  readonly reason?: string;
  readonly checks: readonly AssessedCheck[];
  readonly transactionIds: readonly string[];
  readonly earlierTries?: readonly AssessedTry[];
}

type AssessedTry = Pick<StoredTry, "transactionIds" | "requestedAt"> & {
  readonly status: string;
  readonly checks: readonly AssessedCheck[];
};

type AssessedCheck = Pick<StoredCheck, "name" | "result" | "reason" | "addedLater"> & {
  readonly kind: string;
  readonly target: string;
};

/** The result of judging restores, with or without a plan. A run's verdict and its report share these rules. */
export interface Assessment {
  readonly goals: readonly StoredGoal[];
  readonly recoveryTimeSeconds?: number;
  /** Why the run fails. */
  readonly failures: readonly string[];
  /** Facts that are not known, so that the run is incomplete. */
  readonly gaps: readonly string[];
  /** Goals that could not be measured because a restore is not back; a failure or a gap says so already. */
  readonly restatedGaps: readonly string[];
  readonly warnings: readonly string[];
}

/** The rules and the moment that restores are judged by. */
export interface AssessmentBasis {
  readonly onMissedGoal: "fail" | "warn";
  readonly wholeGoals?: Pick<StoredGoals, "recoveryTimeSeconds"> | undefined;
  /** The data's age is measured up to this moment; without it up to each restore's own first request. */
  readonly incidentAt: string | undefined;
  /** What the restores themselves do not tell, in sentences: changes of the run after it began, other plans of their machines. */
  readonly remarks?: readonly string[];
  /** False if the stamps were read from texts without a zone. */
  readonly requestsNameZone?: boolean;
}

export function assess(planned: readonly AssessedRestore[], basis: AssessmentBasis): Assessment {
  const { wholeGoals } = basis;
  const recoveryTimeSeconds = wholePlanSeconds(planned);
  const goals = [
    ...planned.flatMap(({ name, goals: wanted, step }) => [
      goalResult("recoveryTime", name, wanted.recoveryTimeSeconds, step && recoveredSeconds(step)),
      goalResult("dataAge", name, wanted.dataAgeSeconds, step && dataAgeForGoal(step, basis, wanted.dataAgeSeconds)),
    ]),
    goalResult("recoveryTime", undefined, wholeGoals?.recoveryTimeSeconds, recoveryTimeSeconds),
  ];
  return {
    goals,
    ...(recoveryTimeSeconds !== undefined && { recoveryTimeSeconds }),
    ...collectFindings(planned, goals, basis),
  };
}

/** The time of the first request among all restores, earlier tries included. */
export function firstRequestOfAll(planned: readonly AssessedRestore[]): string | undefined {
  return earliestStamp(planned.map(({ step }) => step && firstRequestOf(step)));
}

/** True if `pulumi up` fails because of a verdict. A goal that could not be measured counts as missed. */
export function failsTheRun(
  { verdict, counts }: Pick<StoredVerdict, "verdict" | "counts">,
  onMissedGoal: "fail" | "warn",
): boolean {
  if (verdict === "failed") return true;
  if (verdict !== "incomplete") return false;
  return onMissedGoal === "fail" || counts.unfinished + counts.notCarriedOut + counts.checks.notRun > 0;
}

type TriedStep = Pick<AssessedStep, "requestedAt" | "transactionIds" | "earlierTries">;
type AgedStep = TriedStep & Pick<AssessedStep, "status" | "recoveryPointTakenAt">;
type AgeBasis = Pick<AssessmentBasis, "incidentAt" | "requestsNameZone">;

/**
 * The age of restored data at the incident, or else at the restore's own first request. Data that was not restored has no age, and neither
 * has a point taken after the incident. A point taken after the request loses nothing.
 */
export function dataAge(step: AgedStep, basis: AgeBasis): number | undefined {
  return step.status === "complete" ? ageOfPoint(step, basis) : undefined;
}

function ageOfPoint(step: AgedStep, { incidentAt, requestsNameZone = true }: AgeBasis): number | undefined {
  const { recoveryPointTakenAt } = step;
  if (incidentAt !== undefined) return secondsBetween(recoveryPointTakenAt, incidentAt);
  const first = firstRequestOf(step);
  if (recoveryPointTakenAt === undefined || first === undefined || !requestsNameZone || !namesZone(first))
    return undefined;
  return secondsBetween(recoveryPointTakenAt, first) ?? 0;
}

/** An unfinished restore has no data age yet, but one from a point that is too old can only miss its goal. */
function dataAgeForGoal(step: AgedStep, basis: AgeBasis, targetSeconds: number | undefined): number | undefined {
  if (isFinished(step.status)) return dataAge(step, basis);
  const age = ageOfPoint(step, basis) ?? 0;
  return targetSeconds !== undefined && age > targetSeconds ? age : undefined;
}

/**
 * The time from the first try's request to the last check: the restore by the panel's clock plus the checks by the runner's. A check that
 * was added later does not count.
 */
export function recoveredSeconds(
  step: Pick<
    AssessedStep,
    | "status"
    | "durationSeconds"
    | "checks"
    | "checkedSeconds"
    | "transactionIds"
    | "earlierTries"
    | "requestedAt"
    | "finishedAt"
  >,
): number | undefined {
  if (step.status !== "complete" || step.checks.some(({ result }) => result !== "passed")) return undefined;
  const isTriedAgain = triesSinceBack(otherTriesOf(step)).length > 0;
  const restored = isTriedAgain ? secondsBetween(firstRequestOf(step), step.finishedAt) : step.durationSeconds;
  const checksWith = step.checks.some(({ addedLater }) => addedLater !== true) ? step.checkedSeconds : 0;
  return restored === undefined || checksWith === undefined ? undefined : restored + checksWith;
}

/** The time from the first request to the last end or check. Known only when all restores are back. */
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

function countsOf(planned: readonly AssessedRestore[]): StoredCounts {
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
  basis: AssessmentBasis,
): Pick<Assessment, "failures" | "gaps" | "restatedGaps" | "warnings"> {
  const failures: string[] = [];
  const gaps: string[] = [];
  const restatedGaps: string[] = [];
  const warnings: string[] = [...(basis.remarks ?? [])];
  for (const { wave, name, step, missing = "was not carried out" } of planned) {
    const who = wave === undefined ? name : `${name} (wave ${wave})`;
    if (step === undefined) gaps.push(`${who} ${missing}`);
    else if (step.status === "failed" || step.status === "cancelled")
      failures.push(`${who}: the restore ${step.status === "failed" ? "failed" : "was cancelled"}`);
    else if (step.status === "not sent")
      gaps.push(`${who}: nothing was sent, because the restore of its machine before it is not complete`);
    else if (step.status === "overwritten")
      gaps.push(`${who}: overwritten, because its machine was restored again since`);
    else if (step.status === "not counted")
      gaps.push(`${who}: not counted as complete: ${step.reason ?? "the state does not say why"}`);
    else if (step.status !== "complete")
      gaps.push(`${who}: the end of the restore is not known, its last known status is ${step.status}`);
    for (const [index, check] of (step?.checks ?? []).entries()) {
      const which = `${who}: check ${String(index + 1)} (${checkLabel(check)})`;
      if (check.result === "failed")
        failures.push(`${which} did not pass${check.reason === undefined ? "" : `: ${check.reason}`}`);
      // Checks are never run after a restore that did not complete.
      if (check.result === "not run" && step?.status === "complete") gaps.push(`${which} was not run`);
    }
    if (step?.adopted === true)
      warnings.push(`${who}: the restore was adopted, and is measured from its original request`);
    const tries = step === undefined ? [] : otherTriesOf(step);
    if (tries.length > 0) warnings.push(`${who}: ${triesText(tries)}`);
    for (const { reason, ...check } of step === undefined ? [] : checksFailedBefore(step)) {
      const why = reason === undefined ? "" : `: ${reason}`;
      warnings.push(`${who}: a check (${checkLabel(check)}) had not passed before the plan was changed${why}`);
    }
    for (const warning of step?.warnings ?? []) warnings.push(`${who}: ${warning}`);
  }
  for (const goal of goals) {
    if (goal.verdict === "missed") (basis.onMissedGoal === "fail" ? failures : warnings).push(missedGoalText(goal));
    if (goal.verdict === "not measured")
      (isAllBack(goal, planned) ? gaps : restatedGaps).push(unmeasuredGoalText(goal, planned, basis));
  }
  if (planned.length === 0) gaps.push("nothing was planned");
  return { failures, gaps, restatedGaps, warnings };
}

/** True if all restores that a goal covers are complete and have passed their checks. */
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
  // A failure may explain a gap; the reasons list both all the same.
  if (failures.length > 0) return { verdict: "failed", reasons: [...failures, ...gaps] };
  if (gaps.length > 0) return { verdict: "incomplete", reasons: gaps };
  return warnings.length > 0
    ? { verdict: "passed with warnings", reasons: warnings }
    : { verdict: "passed", reasons: [] };
}

/** `it came back at try 2: the one before was last seen failed, …` */
function triesText(tries: readonly AssessedTry[]): string {
  const number = String(tries.length + 1);
  if (triesSinceBack(tries).length < tries.length)
    return `it was restored again in this run after it had come back, at try ${number}; its time counts from the first try after that`;
  const endOf = ({ status, checks }: AssessedTry): string =>
    status !== "complete" || areAllPassed(checks) ? status : "complete with checks that had not passed";
  const ends = [...new Set(tries.map(endOf))].join(" or ");
  return `it came back at try ${number}: ${tries.length === 1 ? "the one before was" : "those before were"} last seen ${ends}, and its time counts from the first`;
}

const goalWords = { recoveryTime: "recovery time", dataAge: "data age" } as const;

function missedGoalText({ restore, goal, measuredSeconds = 0, targetSeconds = 0 }: StoredGoal): string {
  const about = restore === undefined ? "the whole plan" : restore;
  return `${about}: the ${goalWords[goal]} was ${formatDuration(measuredSeconds)}, the goal is ${formatDuration(targetSeconds)}`;
}

function unmeasuredGoalText(goal: StoredGoal, planned: readonly AssessedRestore[], basis: AgeBasis): string {
  const { restore, targetSeconds = 0 } = goal;
  const about = restore === undefined ? "the whole plan" : restore;
  return `${about}: the ${goalWords[goal.goal]} could not be measured against its goal of ${formatDuration(targetSeconds)}: ${whyUnmeasured(goal, planned, basis)}`;
}

function whyUnmeasured(
  { restore, goal }: StoredGoal,
  planned: readonly AssessedRestore[],
  { incidentAt, requestsNameZone = true }: AgeBasis,
): string {
  const partUnknown = "one of its times is not known";
  if (restore === undefined) return partUnknown;
  const step = planned.find(({ name }) => name === restore)?.step;
  if (step === undefined) return "it was not carried out";
  if (!isFinished(step.status)) return "the end of the restore is not known";
  if (step.status !== "complete") return "the restore did not complete";
  if (goal !== "dataAge") return partUnknown;
  if (step.recoveryPointTakenAt === undefined) return "recoveryPointTakenAt is not given";
  if (incidentAt !== undefined)
    return "the recovery point was taken after the incident; choose a point from before it, or correct incidentAt";
  const first = firstRequestOf(step);
  return first !== undefined && (!requestsNameZone || !namesZone(first))
    ? "the panel's times name no time zone, so the moment of the first request is not certain; give incidentAt"
    : "the time of its first request is not known";
}

/** The restores of the plan, each with its stored step if that counts, and with every earlier try of the run, in whichever wave it stood then. */
function restoresOfPlan(run: JudgedRun, waves: readonly JudgedWave[]): readonly AssessedRestore<JudgedStep>[] {
  return run.asked.waves.flatMap((wave) => {
    const batches = waves.filter(({ name }) => name === wave.name);
    const steps = new Map(batches.flatMap(({ restores }) => Object.entries(restores)));
    return Object.entries(wave.restores).map(([name, { goals, recoveryPointTakenAt }]) => {
      const about = { wave: wave.name, name, goals };
      const stored = steps.get(name);
      if (stored === undefined) return about;
      const missing = whyNotCounted(stored, {
        revision: run.revisions?.[name],
        posting: run.postings?.[name],
        runStartedAt: run.startedAt,
        changedAt: lastChangeOf(wave.name, name, run.history),
      });
      if (missing !== undefined) return { ...about, missing };
      const earlierTries = waves.flatMap(({ earlierTries: tries = {} }) => tries[name] ?? []);
      return {
        ...about,
        step: {
          ...stored,
          ...(stored.status === "complete" && run.overwritten?.[name] === true && { status: "overwritten" as const }),
          ...(recoveryPointTakenAt !== undefined && { recoveryPointTakenAt }),
          ...(earlierTries.length > 0 && { earlierTries }),
          checks: stored.checks.map((check) => (isTold(check) ? check : { ...check, result: "not run" as const })),
        },
      };
    });
  });
}

/** One transaction is one restore: where two name the same one, neither counts. */
function withOneTransactionEach(planned: readonly AssessedRestore[]): readonly AssessedRestore[] {
  const holders = new Map<string, readonly string[]>();
  for (const { name, step } of planned)
    for (const id of step?.transactionIds ?? []) holders.set(id, [...(holders.get(id) ?? []), name]);
  return planned.map((one) => {
    const { name, step } = one;
    const id = step?.transactionIds.find((own) => (holders.get(own)?.length ?? 0) > 1);
    if (step?.status !== "complete" || id === undefined) return one;
    const other = holders.get(id)?.find((holder) => holder !== name) ?? "";
    return { ...one, step: { ...step, status: "not counted", reason: sharedText(id, other) } };
  });
}

export function sharedText(transactionId: string, other: string): string {
  return `Transaction ${transactionId} is stored for "${other}" too, and one transaction is one restore.`;
}

function isTold({ result }: Pick<StoredCheck, "result">): boolean {
  return result === "passed" || result === "failed";
}

/** What the state has of a restore now; a part that is not known agrees with anything. */
interface RestoreNow {
  /** The form that the plan has now. */
  readonly revision: string | undefined;
  /** The posting that its own resource has now. */
  readonly posting: string | undefined;
  /** The start of the run. It identifies the run, because a name may be used again. */
  readonly runStartedAt: string | undefined;
  /** When the plan last changed it in this run. */
  readonly changedAt: string | undefined;
}

/** Says why a stored step is not of the restore as it is now; undefined if it is. A state of an earlier release has no revisions, and its steps have no start. */
export function whyNotCounted(
  { revision, posting, runStartedAt }: Partial<Pick<StoredStep, "revision" | "posting" | "runStartedAt">>,
  now: RestoreNow,
): string | undefined {
  if (isOther(runStartedAt, now.runStartedAt)) return sentEarlierText;
  const isChanged = now.revision !== undefined && revision !== now.revision;
  if (!isChanged && !isOther(posting, now.posting)) return undefined;
  return `was not carried out since it was changed${now.changedAt === undefined ? "" : ` at ${now.changedAt}`}`;
}

function isOther(stored: string | undefined, now: string | undefined): boolean {
  return stored !== undefined && now !== undefined && stored !== now;
}

/** When the plan last changed a restore during its run. */
export function lastChangeOf(wave: string, restore: string, history: JudgedRun["history"] = []): string | undefined {
  const path = `waves.${wave}.restores.${restore}`;
  return history.findLast(({ changes }) => changes.some((one) => one.path === path || one.path.startsWith(`${path}.`)))
    ?.at;
}

const sentEarlierText =
  "was carried out in an earlier run of this name, and not in this one: begin a run with a name of its own";

/** The earlier tries with other transactions. One with the same is this very try, before the plan was changed. */
export function otherTriesOf<T extends AssessedTry>({
  transactionIds,
  earlierTries = [],
}: {
  readonly transactionIds: readonly string[];
  readonly earlierTries?: readonly T[];
}): readonly T[] {
  return earlierTries.filter((one) => !isOfTransactions(one, transactionIds));
}

function isOfTransactions({ transactionIds }: Pick<AssessedTry, "transactionIds">, ids: readonly string[]): boolean {
  return transactionIds.some((id) => ids.includes(id));
}

/** Checks of this very try that had failed before the plan was changed. */
function checksFailedBefore({ transactionIds, earlierTries = [] }: AssessedStep): readonly AssessedCheck[] {
  return earlierTries
    .filter((one) => isOfTransactions(one, transactionIds))
    .flatMap(({ checks }) => checks.filter(({ result }) => result === "failed"));
}

function areAllPassed(checks: readonly { readonly result: string }[]): boolean {
  return checks.every(({ result }) => result === "passed");
}

/** The tries since the machine was last back: complete, and its checks passed. */
export function triesSinceBack<T extends Pick<AssessedTry, "status" | "checks">>(tries: readonly T[]): readonly T[] {
  const back = tries.findLastIndex(({ status, checks }) => status === "complete" && areAllPassed(checks));
  return tries.slice(back + 1);
}

/** The time of the first request for a restore since its machine was last back in this run, whatever the result of that try. */
function firstRequestOf(step: TriedStep): string | undefined {
  return earliestStamp([...triesSinceBack(otherTriesOf(step)).map((one) => one.requestedAt), step.requestedAt]);
}
