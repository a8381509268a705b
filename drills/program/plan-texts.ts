import * as pulumi from "@pulumi/pulumi";
import type { CheckFailure } from "../../provider/inputs/problems";
import { knownLater } from "../../provider/inputs/read-values";
import { omitUndefined } from "../../provider/plain/plain";
import { withDatesAsText } from "../../provider/program/program-values";
import { programError } from "../../provider/program/stack-traces";
import type { PlanText } from "../judge/stored";
import type { GivenWave, ReadPlan } from "../inputs/read-plan";
import { chainWave, type RestoredBefore, type WaveParts, wavePartsOf } from "../inputs/wave-texts";
import { jsonText, type Knowable, mapKnown, hideSecrets, secretJson, shown, withUrns, withWords } from "./known-values";

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
  const parts: Knowable<WaveParts>[] = [];
  const waves: WaveTexts[] = [];
  for (const wave of plan.waves) {
    const ofWave = partsOf(name, wave);
    const forms = shown(mapKnown(ofWave, (known: WaveParts) => known.forms));
    restored = mapKnown([forms, restored], ([ofForms, before]: [WaveParts["forms"], RestoredBefore]) => {
      const chain = chainWave(ofForms, wave.path, before);
      throwProblems(name, chain.problems);
      return chain.restored;
    });
    parts.push(ofWave);
    waves.push({
      // Depends on `restored`, so that nothing is registered for a wave with problems.
      declared: mapKnown([forms, restored], ([known]: [WaveParts["forms"]]) => jsonText(known)),
      // Depends on the restores as given, so that a preview does not know the options while any value is unknown.
      options: pulumi.secret(
        mapKnown([ofWave, withUrns(withDatesAsText(wave.restores))], ([{ options }]: [WaveParts]) =>
          secretJson(options),
        ),
      ),
    });
  }
  return { run, incidentAt, waves, plan: planText(plan, run, incidentAt, parts) };
}

function planText(
  { kind, goals, wholeGoals, onFailure, onMissedGoal, notes }: ReadPlan,
  run: Knowable<string>,
  incidentAt: Knowable<string | undefined>,
  parts: readonly Knowable<WaveParts>[],
): Knowable<string> {
  const ofWaves = parts.map((part) => shown(mapKnown(part, (known: WaveParts) => known.shown)));
  type Values = readonly [string, string | undefined, PlanText["notes"], PlanText["waves"]];
  return mapKnown(
    [run, incidentAt, hideSecrets(withWords(notes)), ofWaves],
    ([ofRun, at, shownNotes, waves]: Values) => {
      const others = { kind, goals, wholeGoals, onFailure, onMissedGoal };
      return jsonText(omitUndefined<PlanText>({ run: ofRun, ...others, incidentAt: at, notes: shownNotes, waves }));
    },
  );
}

/** Derives what a wave needs from its arguments. In a preview, a placeholder word takes the place of each unknown value. */
function partsOf(plan: string, { name, path, goals, restores, rule }: GivenWave): Knowable<WaveParts> {
  type Given = Pick<GivenWave, "restores" | "rule">;
  const given = withWords({ restores: withUrns(withDatesAsText(restores)), rule }) as Given;
  const isUnknown = (value: unknown): boolean => pulumi.runtime.isDryRun() && value === knownLater;
  return mapKnown([given, hideSecrets(given.restores)], ([known, masked]: [Given, Given["restores"]]) => {
    const wave = { name, path, ...(goals && { goals }), ...known };
    const { parts, problems } = wavePartsOf(wave, masked, isUnknown);
    throwProblems(plan, problems);
    return parts;
  });
}

export function throwProblems(plan: string, problems: readonly CheckFailure[]): void {
  if (problems.length === 0) return;
  const list = problems.map(({ reason }) => `  ${reason.trim()}`).join("\n");
  throw programError(`RecoveryPlan "${plan}" cannot be carried out, and none of its restores was sent:\n${list}`);
}
