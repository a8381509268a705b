import { firstRequestOfAll, assess } from "../provider/plan/verdict";
import { asList } from "../provider/plain/plain";
import { fatesOf, plannedOf, stepsOf, type Fate, type RunInState } from "./fates";
import { deviationsOf } from "./judge/deviations";
import { clocksOf, countsOf, goalsOf, measured, measuredOf } from "./judge/figures";
import { verdictFrom } from "./judge/verdict";
import type { Plan, Report, Step, Wave } from "./model/model";
import { panelsOf, sourceOf } from "./of-restores";
import type { ReportOptions } from "./options";
import { knownFormat, type PlannedWave, type StoredPlanRun, verdictOf } from "./state/plan-run";
import { wavesOf, type PlanWaveResource } from "./state/plan-wave";
import { type State, requestsNameZone } from "./state/read";
import { paired, intentsIn, restoresIn } from "./state/restores";
import { isSecret, known, nameOf, plainDataOf } from "./state/values";

/** The report of one run of a plan: what was planned, beside what the waves, or else the restores themselves, have stored. */
export function reportOfPlan(state: State, run: StoredPlanRun, options: ReportOptions): Report {
  const logs = options.logs ?? "without logs";
  const isMine = ({ parent }: { readonly parent?: string }): boolean => parent === run.parent;
  const { found, waves: fates } = outcomeOf(state, run, logs);
  const all = fates.flatMap(({ fates }) => fates);

  const given = fates.flatMap(({ wave, fates }) => fates.map((fate) => plannedOf(fate, wave.name)));
  const incidentAt =
    run.incidentAt ?? (requestsNameZone(state.resources.filter(isMine)) ? firstRequestOfAll(given) : undefined);
  const judged = assess(given, {
    onMissedGoal: run.onMissedGoal,
    wholeGoals: known({ recoveryTimeSeconds: run.wholeGoalSeconds }),
    incidentAt,
  });
  const shown = new Map(stepsOf(all).map((step) => [step, measured(step, incidentAt)]));
  const steps = [...shown.values()];
  const notCarriedOut = all.flatMap(({ outcome }) => ("missing" in outcome ? [outcome.missing] : []));
  const stored = verdictOf(run, state);
  const { recoveryTimeSeconds } = judged;
  const goals = goalsOf(judged);
  const unreadable = unreadableIn(run);
  const deviations = deviationsOf({
    steps,
    intents: found.intents,
    pending: found.pending,
    changed: run.about.changed === true ? "since the run before" : "no",
    amended: run.amended,
    chosenBefore: chosenBefore(all, run.incidentAt),
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
      endedAt: found.pending.length === 0 && stored?.about === "the plan as it is" ? stored.decidedAt : undefined,
      incidentAt: run.incidentAt,
      user: run.user,
      host: run.host,
      pipeline: run.pipeline,
      notes: run.notes,
      panels: panelsOf([run.panel, ...found.restores.map(({ intent }) => intent.panel)]),
    }),
    plan: known({ ...run.about, heldBy: heldBy(all) }),
    verdict: verdictFrom({
      judged,
      planned: steps.length + notCarriedOut.length,
      pending: found.pending,
      unreadable,
      remarks: deviations.length,
      stored: stored ?? "missing",
    }),
    measured: measuredOf(steps, recoveryTimeSeconds),
    counts: countsOf(steps, notCarriedOut, stored?.planned),
    goals,
    waves: fates.map(({ wave, index, fates }) => waveOf(wave, index, fates, found, shown)),
    notCarriedOut,
    deviations,
    clocks: clocksOf(steps),
    source: sourceOf(state, found.pending, run.versions),
  };
}

/** What became of everything that a run has planned, wave by wave. */
export function outcomeOf(
  state: State,
  run: StoredPlanRun,
  logs: "with logs" | "without logs",
): {
  readonly found: RunInState;
  readonly waves: readonly {
    readonly wave: PlannedWave;
    readonly index: number;
    readonly fates: readonly Fate[];
  }[];
} {
  const isMine = ({ parent }: { readonly parent?: string }): boolean => parent === run.parent;
  const intents = intentsIn(state.resources).filter(isMine);
  const found: RunInState = {
    run,
    waves: wavesOf(run, state, logs),
    restores: paired(restoresIn(state.resources, logs).filter(isMine), intents).current.filter(({ triggers, intent }) =>
      isOfRun(triggers, intent.madeAt, run),
    ),
    intents: intents.filter(({ triggers, madeAt }) => isOfRun(triggers, madeAt, run)),
    pending: state.pending.filter(isMine),
  };
  const planned = run.waves ?? plannedFrom(found.waves, run.plan);
  return {
    found,
    waves: planned.map((wave, index) => ({ wave, index, fates: fatesOf(wave, index, planned, found) })),
  };
}

/** Where the plan itself cannot be read, what its waves have stored stands for it. */
function plannedFrom(waves: readonly PlanWaveResource[], plan: string): readonly PlannedWave[] {
  return [...waves]
    .sort((a, b) => a.index - b.index)
    .map(({ name, steps }) => ({
      name,
      restores: steps.map(({ step, goals }) => ({ ...step, rawName: `${plan}-${step.name}`, goals })),
    }));
}

/** Restores whose point was chosen while the plan said another `incidentAt`: that it was changed since chooses nothing anew. */
function chosenBefore(fates: readonly Fate[], incidentAt: string | undefined): readonly Step[] {
  return fates.flatMap(({ planned, outcome }) => {
    const chosenBy = "step" in outcome ? outcome.step.chosenBy : undefined;
    const isOther = chosenBy?.listed !== undefined && chosenBy.incidentAt !== incidentAt;
    return "step" in outcome && planned.takesIncident === true && isOther ? [outcome.step] : [];
  });
}

/** As the weakest of them was. */
function heldBy(fates: readonly Fate[]): Plan["heldBy"] {
  const all = fates.flatMap(({ outcome }) => ("heldBy" in outcome ? [outcome.heldBy] : []));
  return all.includes("machine, point and kind") ? "machine, point and kind" : all[0];
}

function waveOf(
  wave: PlannedWave,
  index: number,
  fates: readonly Fate[],
  { waves }: RunInState,
  shown: ReadonlyMap<Step, Step>,
): Wave {
  const stored = waves.find((one) => one.index === index && one.name === wave.name);
  const restores = stepsOf(fates).map((step) => shown.get(step) ?? step);
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

/** The run that is reported on. */
interface OfRun {
  readonly run: string;
  readonly startedAt?: string;
}

/** Whether a plan's restore belongs to a run: the first of its triggers is the run's name, its own ones follow. */
function isOfRun(triggers: unknown, madeAt: string | undefined, { run, startedAt }: OfRun): boolean {
  const known = plainDataOf(triggers);
  // One secret among them makes all of them one. A run is saved before any intent of it is made, both by the runner's clock.
  if (isSecret(known)) {
    return madeAt !== undefined && startedAt !== undefined && Date.parse(madeAt) >= Date.parse(startedAt);
  }
  // The run's name was made harmless when it was read, so what is compared with it is too.
  return nameOf(asList(known)[0]) === run;
}
