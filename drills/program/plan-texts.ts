import * as pulumi from "@pulumi/pulumi";
import type { CheckFailure } from "../../provider/inputs/problems";
import { knownLater } from "../../provider/inputs/read-values";
import { omitUndefined } from "../../provider/plain/plain";
import { withDatesAsText } from "../../provider/program/program-values";
import { programError } from "../../provider/program/stack-traces";
import type { PlanText } from "../judge/stored";
import type { GivenWave, ReadPlan } from "../inputs/read-plan";
import { chainWave, type RestoredBefore, type WaveParts, wavePartsOf } from "../inputs/wave-texts";
import {
  holdsOutputOrPromise,
  jsonText,
  type Knowable,
  mapKnown,
  hideSecrets,
  secretJson,
  shown,
  withUrns,
  withWords,
} from "./known-values";

export interface PlanTexts {
  readonly run: Knowable<string>;
  readonly plan: Knowable<string>;
  readonly incidentAt: Knowable<string | undefined>;
  readonly waves: readonly WaveTexts[];
}

export interface WaveTexts {
  readonly declared: Knowable<string>;
  readonly options: pulumi.Output<string>;
}

/**
 * Makes the texts of a plan. A text is made immediately if all of its values are known, and problems are then thrown before anything is registered.
 * Otherwise, problems end the program later, and nothing in the wave is sent. Ids, points, paths and times are shown even if the program marks them as
 * secret, because every message names them. Triggers are only compared, and checks are secret.
 */
export function planTexts(name: string, plan: ReadPlan): PlanTexts {
  const run = shown(mapKnown(plan.run, String));
  const incidentAt = shown(mapKnown<string | undefined, string | undefined>(plan.incidentAt, (at) => at));
  let restored: Knowable<RestoredBefore> = {};
  const parts: WaveOutputs[] = [];
  const waves: WaveTexts[] = [];
  for (const wave of plan.waves) {
    const ofWave = partsOf(name, wave);
    const forms = shown(mapKnown(ofWave.inWords, (known: WaveParts) => known.forms));
    restored = mapKnown([forms, restored], ([ofForms, before]: [WaveParts["forms"], RestoredBefore]) => {
      const chain = chainWave(ofForms, wave.path, before);
      throwProblems(name, chain.problems);
      return chain.restored;
    });
    parts.push(ofWave);
    waves.push({
      // Depends on `restored`, so that nothing is registered for a wave with problems.
      declared: mapKnown([forms, restored], ([known]: [WaveParts["forms"]]) => jsonText(known)),
      options: pulumi.secret(mapKnown(ofWave.exact, ({ options }: WaveParts) => secretJson(options))),
    });
  }
  return { run, incidentAt, waves, plan: planText(plan, run, incidentAt, parts) };
}

function planText(
  { kind, goals, wholeGoals, onFailure, onMissedGoal, notes }: ReadPlan,
  run: Knowable<string>,
  incidentAt: Knowable<string | undefined>,
  parts: readonly WaveOutputs[],
): Knowable<string> {
  const ofWaves = parts.map(({ inWords }) => shown(mapKnown(inWords, (known: WaveParts) => known.shown)));
  type Values = readonly [string, string | undefined, PlanText["notes"], PlanText["waves"]];
  return mapKnown(
    [run, incidentAt, hideSecrets(withWords(notes)), ofWaves],
    ([ofRun, at, shownNotes, waves]: Values) => {
      const others = { kind, goals, wholeGoals, onFailure, onMissedGoal };
      return jsonText(omitUndefined<PlanText>({ run: ofRun, ...others, incidentAt: at, notes: shownNotes, waves }));
    },
  );
}

/** What is derived from a wave's arguments. `inWords`: the same as `exact`, except that a preview puts a placeholder word in place of each unknown value. */
interface WaveOutputs {
  readonly exact: Knowable<WaveParts>;
  readonly inWords: Knowable<WaveParts>;
}

function partsOf(plan: string, { name, path, goals, restores, rule }: GivenWave): WaveOutputs {
  const wave = { name, path, ...(goals && { goals }) };
  type Given = Pick<GivenWave, "restores" | "rule">;
  const given = { restores: withUrns(withDatesAsText(restores)), rule } as Given;
  const make = (known: Given, masked: GivenWave["restores"], isUnknown?: (value: unknown) => boolean): WaveParts => {
    const { parts, problems } = wavePartsOf({ ...wave, ...known }, masked, isUnknown);
    throwProblems(plan, problems);
    return parts;
  };
  if (!holdsOutputOrPromise(given)) {
    const parts = make(given, given.restores);
    return { exact: parts, inWords: parts };
  }
  const mapped = (values: Given, isUnknown?: (value: unknown) => boolean): Knowable<WaveParts> =>
    mapKnown([values, hideSecrets(values.restores)], ([known, masked]: [Given, GivenWave["restores"]]) =>
      make(known, masked, isUnknown),
    );
  const exact = mapped(given);
  if (!pulumi.runtime.isDryRun()) return { exact, inWords: exact };
  return { exact, inWords: mapped(withWords(given) as Given, (value) => value === knownLater) };
}

export function throwProblems(plan: string, problems: readonly CheckFailure[]): void {
  if (problems.length === 0) return;
  const list = problems.map(({ reason }) => `  ${reason.trim()}`).join("\n");
  throw programError(`RecoveryPlan "${plan}" cannot be carried out, and none of its restores was sent:\n${list}`);
}
