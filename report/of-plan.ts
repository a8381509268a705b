import type { Check, NotCarriedOut, Report, Step, Wave } from "./model/model";
import type { ReportOptions } from "./options";
import { clocksOf, countsOf, measuredOf } from "./judge/figures";
import { deviationsOf } from "./judge/deviations";
import { firstRequest, goalsOf, wholeGoal, wholeSeconds, withDataAge, type Aim } from "./judge/goals";
import { isOfRun } from "./judge/of-run";
import { paired } from "./judge/missing";
import { verdictFrom } from "./judge/verdict";
import { panelsOf, sourceOf } from "./of-restores";
import {
  knownFormat,
  verdictOf,
  wavesOf,
  type PlannedRestore,
  type PlannedWave,
  type StepGoals,
  type StoredPlanRun,
  type StoredPlanWave,
} from "./state/plan";
import type { Pending, State } from "./state/read";
import { intentsIn, restoresIn, type IntentResource, type StoredRestore } from "./state/restores";
import { known } from "./state/values";

/** What the state holds of one run of a plan, beside the run itself. */
interface Found {
  readonly run: StoredPlanRun;
  readonly waves: readonly StoredPlanWave[];
  readonly restores: readonly StoredRestore[];
  readonly intents: readonly IntentResource[];
  readonly pending: readonly Pending[];
}

/** A planned restore and what became of it. */
interface Fate {
  readonly planned: PlannedRestore;
  readonly goals: StepGoals;
  readonly outcome: { readonly step: Step; readonly retried: boolean } | { readonly missing: NotCarriedOut };
}

/** The report of one run of a plan: what was planned, beside what the waves, or else the restores themselves, have stored. */
export function reportOfPlan(state: State, run: StoredPlanRun, options: ReportOptions): Report {
  const logs = options.logs ?? "without logs";
  const isMine = ({ parent }: { readonly parent?: string }): boolean => parent === run.parent;
  const ofRun = ({ triggers }: { readonly triggers: unknown }): boolean => isOfRun(triggers, run.run);
  const intents = intentsIn(state.resources).filter(isMine);
  const found: Found = {
    run,
    waves: wavesOf(run, state, logs),
    restores: paired(restoresIn(state.resources, logs).filter(isMine), intents).current.filter(ofRun),
    intents: intents.filter(ofRun),
    pending: state.pending.filter(isMine),
  };
  const planned = run.waves ?? plannedFrom(found.waves, run.plan);
  const fates = planned.map((wave, index) => ({ wave, index, fates: fatesOf(wave, index, planned, found) }));
  const all = fates.flatMap(({ fates }) => fates);

  const incidentAt = run.incidentAt ?? firstRequest(stepsOf(all));
  const dated = new Map(stepsOf(all).map((step) => [step.name, withDataAge(step, incidentAt)]));
  const steps = [...dated.values()];
  const notCarriedOut = all.flatMap(({ outcome }) => ("missing" in outcome ? [outcome.missing] : []));
  const stored = verdictOf(run, state);
  const recoveryTimeSeconds = wholeSeconds(steps, notCarriedOut.length);
  const goals = [
    ...wholeGoal(run.wholeGoalSeconds, recoveryTimeSeconds),
    ...goalsOf(
      all.map(({ planned, goals }): Aim => ({ restore: planned.name, step: dated.get(planned.name), ...goals })),
    ),
  ];
  const unreadable = unreadableIn(run);
  const deviations = deviationsOf({
    steps,
    retried: all.flatMap(({ planned, outcome }) => ("step" in outcome && outcome.retried ? [planned.name] : [])),
    intents: found.intents,
    pending: found.pending,
    changed: run.about.changed === true ? "since the run before" : "no",
    amended: run.amended,
    unreadable,
  });
  return {
    formatVersion: 1,
    scope: known({
      kind: "plan" as const,
      name: run.plan,
      project: state.project,
      stack: state.stack,
    }),
    run: known({
      name: run.run,
      kind: run.kind,
      startedAt: run.startedAt,
      endedAt: found.pending.length === 0 ? stored?.decidedAt : undefined,
      incidentAt: run.incidentAt,
      user: run.user,
      host: run.host,
      pipeline: run.pipeline,
      notes: run.notes,
      panels: panelsOf([run.panel, ...found.restores.map(({ intent }) => intent.panel)]),
    }),
    plan: run.about,
    verdict: verdictFrom({
      steps,
      notCarriedOut,
      goals,
      onMissedGoal: run.onMissedGoal,
      pending: found.pending,
      unreadable,
      remarks: deviations.length,
      stored: stored ?? "missing",
    }),
    measured: measuredOf(steps, recoveryTimeSeconds),
    counts: countsOf(steps, notCarriedOut, stored?.planned),
    goals,
    waves: fates.map(({ wave, index, fates }) => waveOf(wave, index, fates, found, dated)),
    notCarriedOut,
    deviations,
    clocks: clocksOf(steps),
    source: sourceOf(state, found.pending, run.versions),
  };
}

function stepsOf(fates: readonly Fate[]): readonly Step[] {
  return fates.flatMap(({ outcome }) => ("step" in outcome ? [outcome.step] : []));
}

/** Where the plan itself cannot be read, what its waves have stored stands for it. */
function plannedFrom(waves: readonly StoredPlanWave[], plan: string): readonly PlannedWave[] {
  return [...waves]
    .sort((a, b) => a.index - b.index)
    .map(({ name, steps }) => ({
      name,
      restores: steps.map(({ step, goals }) => ({ ...step, rawName: `${plan}-${step.name}`, goals })),
    }));
}

function fatesOf(wave: PlannedWave, index: number, waves: readonly PlannedWave[], found: Found): readonly Fate[] {
  const stored = found.waves.find((one) => one.index === index && one.name === wave.name);
  return wave.restores.map((planned): Fate => {
    const kept = stored?.steps.find(({ step }) => step.name === planned.name && isOfTarget(step, planned));
    const restore = found.restores.find((one) => isRestoreOf(one, planned));
    const goals = kept?.goals ?? planned.goals;
    if (kept !== undefined && !isLater(restore, kept.step)) {
      const checks = [...kept.step.checks, ...planned.checks.filter((check) => !isAmong(check, kept.step.checks))];
      const log = kept.step.log ?? restore?.step.log;
      const step = { ...pointTime(kept.step, planned), checks, ...(log !== undefined && { log }) };
      return { planned, goals, outcome: { step: asRecovered(step), retried: false } };
    }
    if (restore !== undefined) {
      const step = { ...pointTime(restore.step, planned), name: planned.name, checks: planned.checks };
      return { planned, goals, outcome: { step: asRecovered(step), retried: kept !== undefined } };
    }
    return {
      planned,
      goals,
      outcome: { missing: missing(planned, wave.name, found, failedBefore(waves, index, found)) },
    };
  });
}

function pointTime(step: Step, { recoveryPointTakenAt }: PlannedRestore): Step {
  return step.recoveryPointTakenAt === undefined && recoveryPointTakenAt !== undefined
    ? { ...step, recoveryPointTakenAt }
    : step;
}

/** A machine with a check that did not pass, or was not run, was not shown to be recovered. */
function asRecovered(step: Step): Step {
  if (step.checks.every(({ result }) => result === "passed")) return step;
  const shown = { ...step };
  delete (shown as { recoveredSeconds?: number }).recoveredSeconds;
  return shown;
}

/** A check that was planned and is not in the record was not run, whatever else was. */
function isAmong({ kind, target }: Check, checks: readonly Check[]): boolean {
  return checks.some((check) => check.kind === kind && check.target === target);
}

function isOfTarget(step: Step, planned: PlannedRestore): boolean {
  return (
    step.kind === planned.kind &&
    step.virtualMachineId === planned.virtualMachineId &&
    step.recoveryPointId === planned.recoveryPointId
  );
}

function isRestoreOf({ step, rawName }: StoredRestore, planned: PlannedRestore): boolean {
  return rawName === planned.rawName && isOfTarget(step, planned);
}

/** A try made after the wave had stored the one before it. */
function isLater(restore: StoredRestore | undefined, kept: Step): boolean {
  const [now, before] = [restore?.step.requestedAt, kept.requestedAt];
  return now !== undefined && before !== undefined && Date.parse(now) > Date.parse(before);
}

function failedBefore(waves: readonly PlannedWave[], index: number, found: Found): string | undefined {
  const failed = found.waves.find((one) => one.index < index && hasFailed(one));
  return failed === undefined ? undefined : waves[failed.index]?.name;
}

function hasFailed({ steps, problems }: StoredPlanWave): boolean {
  return problems.length > 0 || steps.some(({ step }) => step.result === "failed" || step.result === "cancelled");
}

function missing(
  planned: PlannedRestore,
  wave: string,
  { intents, pending }: Found,
  failed: string | undefined,
): NotCarriedOut {
  const intent = intents.find((one) => one.rawName === planned.rawName && one.kind === planned.kind);
  const begun = intent !== undefined || pending.some(({ rawName }) => rawName === planned.rawName);
  const at = intent?.madeAt === undefined ? "" : ` at ${intent.madeAt}`;
  return {
    wave,
    restore: planned.name,
    virtualMachineId: planned.virtualMachineId,
    recoveryPointId: planned.recoveryPointId,
    what: begun ? "outcome not stored" : "not begun",
    why: begun
      ? `It was begun${at}, and its outcome is not in the state: the run ended before, or the panel refused the request.`
      : failed === undefined
        ? "The run ended before it came to this restore."
        : `The plan stops after a failure, and wave ${failed} failed.`,
  };
}

function waveOf(
  wave: PlannedWave,
  index: number,
  fates: readonly Fate[],
  { waves }: Found,
  dated: ReadonlyMap<string, Step>,
): Wave {
  const stored = waves.find((one) => one.index === index && one.name === wave.name);
  const restores = stepsOf(fates).map((step) => dated.get(step.name) ?? step);
  const begun =
    restores.length > 0 ||
    fates.some(({ outcome }) => "missing" in outcome && outcome.missing.what === "outcome not stored");
  const ended =
    stored !== undefined && restores.length === fates.length && restores.every(({ result }) => result !== "unfinished");
  return known({
    name: wave.name,
    index,
    state: ended ? ("ended" as const) : begun ? ("not ended" as const) : ("not begun" as const),
    startedAt: stored?.startedAt,
    endedAt: stored?.endedAt,
    restores,
    checkOutput: stored?.checkOutput,
  });
}

function unreadableIn({ format, waves }: StoredPlanRun): readonly string[] {
  if (format !== "known") {
    return [
      `The run is stored in format ${format.unknown}; this release reads format ${String(knownFormat)}. A newer pulumi-recovery may read it.`,
    ];
  }
  return waves === undefined
    ? ["The plan as given cannot be read from the state, so what was not carried out cannot be listed in full."]
    : [];
}
