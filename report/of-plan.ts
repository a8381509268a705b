import { changeWarnings, entriesNotPlanned } from "../provider/plan/changes";
import { assess } from "../provider/plan/verdict";
import { asList } from "../provider/plain/plain";
import { outcomesOfWave, type PlannedOutcome, type RunInState } from "./planned-outcomes";
import { deviationsOf } from "./findings/deviations";
import { clocksOf, countsOf, goalsOf, withFigures, measuredOf } from "./findings/figures";
import { verdictFrom } from "./findings/verdict";
import type { Between, Report, Step, Wave } from "./model/model";
import { panelsOf, sourceOf } from "./of-restores";
import type { ReportOptions } from "./options";
import { resourcesBetween } from "./state/between-waves";
import {
  knownFormat,
  type PlannedRestore,
  type PlannedWave,
  planRunsIn,
  type StoredPlanRun,
  storedVerdictOf,
} from "./state/plan-run";
import { wavesOf, type PlanWaveResource } from "./state/plan-wave";
import { type State, requestsNameZone } from "./state/read-state";
import { pairWithIntents, intentsIn, restoresIn } from "./state/restores";
import { isSecret, definedOnly, nameOf, plainDataOf } from "./state/values";

/** The report of one run of a plan: the plan beside the records of its waves and restores. */
export function reportOfPlan(state: State, run: StoredPlanRun, options: ReportOptions): Report {
  const logs = options.logs ?? "without logs";
  const belongsToPlan = ({ parent }: { readonly parent?: string }): boolean => parent === run.parent;
  const { found, waves: outcomes } = outcomesOfRun(state, run, logs);
  const all = outcomes.flatMap(({ outcomes }) => outcomes);

  const basis = {
    incidentAt: run.incidentAt,
    requestsNameZone: requestsNameZone(state.resources.filter(belongsToPlan)),
  };
  const recordedLate = found.waves.flatMap(({ name: wave, steps }) =>
    steps.flatMap(({ step, isRecordedLate }) => (isRecordedLate === true ? [{ ...step, wave }] : [])),
  );
  const assessment = assess(all, {
    ...basis,
    onMissedGoal: run.onMissedGoal,
    wholeGoals: definedOnly({ recoveryTimeSeconds: run.wholeGoalSeconds }),
    remarks: [
      ...changeWarnings(run.history, entriesTakenOut(outcomes, found.waves), recordedLate),
      ...sharedMachines(state, run),
    ],
  });
  const shown = new Map(stepsOf(all).map((step) => [step, withFigures(step, basis)]));
  const steps = [...shown.values()];
  const notCarriedOut = all.flatMap((one) => one.notCarriedOut ?? []);
  const storedVerdict = storedVerdictOf(run, state);
  const { recoveryTimeSeconds } = assessment;
  const goals = goalsOf(assessment);
  const between = resourcesBetween(state, run);
  const unreadable = unreadableIn(run);
  const deviations = deviationsOf({
    steps,
    intents: found.intents,
    pending: found.pending,
    changed: run.about.changed === true ? "since the run before" : "no",
    history: run.history,
    chosenBefore: chosenBeforeChange(all, run.incidentAt),
    unreadable,
  });
  return {
    formatVersion: 1,
    scope: definedOnly({
      kind: "plan" as const,
      name: run.plan,
      project: state.project,
      stack: state.stack,
    }),
    run: definedOnly({
      name: run.run,
      kind: run.kind,
      startedAt: run.startedAt,
      endedAt:
        found.pending.length === 0 && storedVerdict?.about === "the plan as it is"
          ? storedVerdict.decidedAt
          : undefined,
      incidentAt: run.incidentAt,
      user: run.user,
      host: run.host,
      pipeline: run.pipeline,
      notes: run.notes,
      panels: panelsOf([run.panel, ...found.restores.map(({ intent }) => intent.panel)]),
    }),
    plan: run.about,
    verdict: verdictFrom({
      assessment,
      planned: steps.length + notCarriedOut.length,
      pending: found.pending,
      unreadable,
      remarks: deviations.length,
      stored: storedVerdict ?? "missing",
    }),
    measured: measuredOf(steps, recoveryTimeSeconds),
    counts: countsOf(steps, notCarriedOut, storedVerdict?.planned),
    goals,
    waves: outcomes.map(({ wave, index, outcomes }) => waveFrom(wave, index, outcomes, found, { shown, between })),
    notCarriedOut,
    deviations,
    clocks: clocksOf(steps),
    source: sourceOf(state, found.pending, run.versions),
  };
}

/** Other plans of the state that restore a machine of this one. What they restored last stands on it. */
function sharedMachines(state: State, run: StoredPlanRun): readonly string[] {
  const restoresOf = ({ waves = [] }: StoredPlanRun): readonly PlannedRestore[] =>
    waves.flatMap(({ restores }) => restores);
  const own = new Map(restoresOf(run).map((one) => [one.virtualMachineId, one.name]));
  return planRunsIn(state)
    .filter(({ urn }) => urn !== run.urn)
    .flatMap((other) =>
      restoresOf(other).flatMap((one) => {
        const name = own.get(one.virtualMachineId);
        if (name === undefined) return [];
        const from = one.rule ?? `recovery point ${one.recoveryPointId ?? "not stored"}`;
        return [
          `${name}: plan ${other.plan} of this stack restores machine ${one.virtualMachineId} too (${one.name}, ${from}, run ${other.run})`,
        ];
      }),
    );
}

/** The last entries of restores that the plan has no longer. */
function entriesTakenOut(
  planned: readonly { readonly wave: PlannedWave }[],
  waves: readonly PlanWaveResource[],
): Parameters<typeof changeWarnings>[1] {
  return entriesNotPlanned(
    planned.map(({ wave }) => ({ wave: wave.name, names: wave.restores.map(({ name }) => name) })),
    waves.map(({ name, steps, earlierTries }) => ({
      name,
      restores: Object.fromEntries(steps.map(({ step }) => [step.name, step])),
      earlierTries,
    })),
  );
}

/** The outcomes of a run's planned restores, wave by wave. */
export function outcomesOfRun(
  state: State,
  run: StoredPlanRun,
  logs: "with logs" | "without logs",
): {
  readonly found: RunInState;
  readonly waves: readonly {
    readonly wave: PlannedWave;
    readonly index: number;
    readonly outcomes: readonly PlannedOutcome[];
  }[];
} {
  const belongsToPlan = ({ parent }: { readonly parent?: string }): boolean => parent === run.parent;
  const intents = intentsIn(state.resources).filter(belongsToPlan);
  const found: RunInState = {
    run,
    waves: wavesOf(run, state, logs),
    restores: pairWithIntents(restoresIn(state.resources, logs).filter(belongsToPlan), intents).current.filter(
      ({ triggers, intent }) => belongsToRun(triggers, intent.madeAt, run),
    ),
    intents: intents.filter(({ triggers, madeAt }) => belongsToRun(triggers, madeAt, run)),
    pending: state.pending.filter(belongsToPlan),
  };
  const planned = run.waves ?? wavesAsStored(found.waves, run.plan);
  return {
    found,
    waves: planned.map((wave, index) => ({ wave, index, outcomes: outcomesOfWave(wave, planned, found) })),
  };
}

/** Stands for a plan that cannot be read. */
function wavesAsStored(waves: readonly PlanWaveResource[], plan: string): readonly PlannedWave[] {
  return [...waves]
    .sort((a, b) => a.index - b.index)
    .map(({ name, steps }) => ({
      name,
      restores: steps.map(({ step }) => ({ ...step, rawName: `${plan}-${step.name}`, goals: {} })),
    }));
}

/** Restores whose point was chosen for another `incidentAt`: a change of it chooses no new point. */
function chosenBeforeChange(outcomes: readonly PlannedOutcome[], incidentAt: string | undefined): readonly Step[] {
  return outcomes.flatMap(({ planned, step }) => {
    const chosenBy = step?.chosenBy;
    const isOther = chosenBy?.listed !== undefined && chosenBy.incidentAt !== incidentAt;
    return step !== undefined && planned.usesIncidentAt === true && isOther ? [step] : [];
  });
}

function stepsOf(outcomes: readonly PlannedOutcome[]): readonly Step[] {
  return outcomes.flatMap(({ step }) => step ?? []);
}

interface WaveParts {
  /** Steps with their figures. */
  readonly shown: ReadonlyMap<Step, Step>;
  readonly between: (wave: PlannedWave) => readonly Between[];
}

function waveFrom(
  wave: PlannedWave,
  index: number,
  outcomes: readonly PlannedOutcome[],
  { waves }: RunInState,
  { shown, between }: WaveParts,
): Wave {
  const storedVerdict = waves.find((one) => one.name === wave.name);
  const restores = stepsOf(outcomes).map((step) => shown.get(step) ?? step);
  const begun =
    restores.length > 0 || outcomes.some(({ notCarriedOut }) => notCarriedOut?.what === "outcome not stored");
  const ended =
    storedVerdict !== undefined &&
    restores.length === outcomes.length &&
    restores.every(({ result }) => result !== "unfinished");
  const resources = between(wave);
  return definedOnly({
    name: wave.name,
    index,
    state: ended ? ("ended" as const) : begun ? ("not ended" as const) : ("not begun" as const),
    startedAt: storedVerdict?.startedAt,
    endedAt: storedVerdict?.endedAt,
    between: resources.length === 0 ? undefined : resources,
    restores,
    checkOutput: storedVerdict?.checkOutput,
  });
}

function unreadableIn({ format, waves }: StoredPlanRun): readonly string[] {
  if (format !== "known") {
    return [
      `The run is stored in format ${format.unknown}; this release reads format ${String(knownFormat)}. A newer pulumi-recovery may read it.`,
    ];
  }
  return waves === undefined
    ? [
        "The state does not hold the plan in a readable form, so the list of what was not carried out may be incomplete.",
      ]
    : [];
}

interface RunStart {
  readonly run: string;
  readonly startedAt?: string;
}

/** True if a plan's restore belongs to a run: its first trigger is the run's name, its own triggers follow. */
function belongsToRun(triggers: unknown, madeAt: string | undefined, { run, startedAt }: RunStart): boolean {
  const known = plainDataOf(triggers);
  // One secret trigger makes all of them secret. Then the times tell, both by the runner's clock: a run is saved before its intents.
  if (isSecret(known)) {
    return madeAt !== undefined && startedAt !== undefined && Date.parse(madeAt) >= Date.parse(startedAt);
  }
  // The run's name was sanitized when it was read, so the trigger is sanitized, too.
  return nameOf(asList(known)[0]) === run;
}
