import { nameInUrn, siblingUrn } from "../../provider/inputs/resource-names";
import { omitUndefined, own, type Properties } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import { recoveryTime } from "./goals";
import { judge, type Verdict } from "./judge";
import { findOverwritten, sentBefore, wholeRestores } from "./overwritten";
import { intentAlone, plainRestore } from "./plain-restores";
import {
  readIntentText,
  readLogs,
  readPlanText,
  readRecord,
  readRun,
  type JudgedWave,
  type PlanText,
  type StoredRun,
} from "./stored";
import { readDeployment, type Resource, typesOf } from "./resources";
import { restoresOfWave, stateOf, type StateRestore, type Unjudged } from "./restores";

/** A plan as stored in a state. */
export interface StatePlan {
  readonly name: string;
  readonly urn: string;
  readonly run: StoredRun;
  /** Undefined if the plan is secret in the state, or if the state was edited. */
  readonly plan?: PlanText;
  readonly waves: readonly (JudgedWave & { readonly urn: string; readonly intentUrn: string })[];
  /** Undefined without the plan's text, because nothing can then be judged. */
  readonly verdict?: Verdict;
}

export interface RestoresOfState {
  readonly restores: readonly StateRestore[];
  readonly plans: readonly StatePlan[];
}

/** The restores in a stack's exported deployment, each judged in the context of the whole state, and the plans with their verdicts. */
export function restoresOfState(deployment: unknown): RestoresOfState {
  const { all: resources, current, pending: operations } = readDeployment(deployment);
  const pending = new Set(operations.map(({ urn }) => urn));
  const begun = new Set(operations.map(({ madeUnder }) => madeUnder).filter((urn) => urn !== undefined));
  const plain = (all: readonly Resource[]): readonly Unjudged[] =>
    all
      .map((one) => plainRestore(one, current, begun) ?? intentAlone(one, current, begun))
      .filter((one) => one !== undefined);
  const read = [...current.values()].flatMap((resource) =>
    resource.name === "PlanRun" ? (readPlan(resource, current, pending) ?? []) : [],
  );
  const planned = read.flatMap(plannedRestores);
  const shown = [...planned, ...plain([...current.values()])];
  const replaced = plain(resources.filter(({ isOld }) => isOld));
  const whole = [
    ...[...shown, ...replaced].flatMap(wholeRestores),
    ...read.flatMap(({ waves }) => waves.flatMap((wave) => sentBefore(wave, planned))),
  ];
  const overwritten = findOverwritten(shown, whole);
  const restores = shown.map((restore): StateRestore => {
    const over = overwritten.get(restore);
    const time = over === undefined ? recoveryTime(restore) : undefined;
    return omitUndefined<StateRestore>({ ...restore, time, state: stateOf(restore, over), whyOverwritten: over });
  });
  const plans = read.map((plan): StatePlan => {
    if (plan.plan === undefined) return plan;
    const parts = [plan.urn, ...plan.waves.flatMap(({ urn, intentUrn }) => [urn, intentUrn])];
    const around = { whole, pending: parts.filter((urn) => pending.has(urn)).map(nameInUrn) };
    return { ...plan, verdict: judge({ ...plan.run, plan: plan.plan }, plan.waves, around) };
  });
  return { restores, plans };
}

type ReadPlan = Omit<StatePlan, "verdict">;

function readPlan(
  resource: Resource,
  current: ReadonlyMap<string, Resource>,
  pending: ReadonlySet<string>,
): ReadPlan | undefined {
  const run = readRun(resource.outputs);
  if (run === undefined) return undefined;
  const { urn } = resource;
  const name = nameInUrn(urn).replace(/-run$/, "");
  const types = typesOf(resource);
  const plan = readPlanText(run.plan);
  const waveUrn = (wave: string): string => siblingUrn(urn, types.Wave, `${name}-wave-${wave}`);
  const intentUrn = (wave: string): string => siblingUrn(urn, types.WaveIntent, `${name}-wave-${wave}-intent`);
  // If the plan's text is missing, the names of its waves are taken from the state.
  const names =
    plan?.waves.map((wave) => wave.name) ??
    [...current.values()].map((one) => waveName(one, name, intentUrn)).filter((wave) => wave !== undefined);
  const waves = names.map((wave) => ({
    ...judgedWave(wave, current.get(intentUrn(wave))?.outputs, current.get(waveUrn(wave))?.outputs),
    isPending: pending.has(waveUrn(wave)),
    urn: waveUrn(wave),
    intentUrn: intentUrn(wave),
  }));
  return omitUndefined<ReadPlan>({ name, urn, run, plan, waves });
}

function waveName({ urn, name }: Resource, plan: string, intentUrn: (wave: string) => string): string | undefined {
  if (name !== "WaveIntent") return undefined;
  const wave = nameInUrn(urn).slice(`${plan}-wave-`.length, -"-intent".length);
  return intentUrn(wave) === urn ? wave : undefined;
}

export function judgedWave(name: string, intent: Properties | undefined, wave: Properties | undefined): JudgedWave {
  const asked = readIntentText(intent?.["restores"]);
  const record = readRecord(wave?.["record"]);
  return {
    name,
    intentRun: asked && readText(intent?.["run"]),
    isPending: false,
    waveRun: readText(wave?.["run"]),
    ...(asked ?? { entries: {}, marks: {} }),
    ...(record ?? { restores: {} }),
    logs: readLogs(wave?.["logs"]),
  };
}

function plannedRestores({ name: plan, run: { run }, plan: text, waves }: ReadPlan): readonly Unjudged[] {
  return waves.flatMap((wave) => {
    const declared = text?.waves.find(({ name }) => name === wave.name) ?? { name: wave.name, restores: {} };
    const logs = wave.waveRun === run ? wave.logs : {};
    return restoresOfWave(run, declared, wave).map((one) => ({
      ...one,
      plan,
      urn: wave.urn,
      log: own(logs, one.name),
    }));
  });
}
