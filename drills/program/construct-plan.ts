import * as pulumi from "@pulumi/pulumi";
import { isGiven } from "../../provider/inputs/problems";
import type { Backend } from "../../provider/program/backend";
import { shortenStackTraces } from "../../provider/program/stack-traces";
import { effectiveGoals } from "../judge/goals";
import type { ReadPlan } from "../inputs/read-plan";
import type { BetweenWaves } from "./between-waves";
import { jsonText, mapEach, mapKnown } from "./known-values";
import { PlanPart } from "./plan-parts";
import { earlierMachines, planTexts, type PlanTexts, type WaveBefore, type WaveTexts } from "./plan-texts";
import { plannedResults, readGoalResults } from "./results";

/** The plan's parent, its dependencies, and the backend that its resources are registered with. */
export interface PlanContext {
  readonly parent: pulumi.Resource;
  readonly dependsOn: pulumi.ResourceOptions["dependsOn"];
  readonly backend: Backend;
  /** @default nothing between the waves */
  readonly between?: BetweenWaves;
}

/** Reads a plan's values and makes its texts. Throws for problems, before anything is registered. */
export function preparePlan(name: string, plan: ReadPlan): PreparedPlan {
  return { name, plan, texts: planTexts(name, plan) };
}

export interface PreparedPlan {
  readonly name: string;
  readonly plan: ReadPlan;
  readonly texts: PlanTexts;
}

/** Registers the resources of a plan, and returns the plan's outputs. It serves programs in any language. */
export function constructPlan(prepared: PreparedPlan, context: PlanContext): pulumi.Inputs {
  // They are not needed: all frames between a part and the program belong to this package.
  const undoShortening = shortenStackTraces(0);
  try {
    return constructParts(prepared, context);
  } finally {
    undoShortening();
  }
}

/**
 * ```
 * run ◂─ intent of wave 1 ◂─ wave 1 ◂─ what is between ◂─ intent of wave 2 ◂─ wave 2 ◂─ verdict
 * ```
 * Each is saved before the next begins.
 */
function constructParts({ name, plan, texts }: PreparedPlan, context: PlanContext): pulumi.Inputs {
  const { parent, dependsOn, backend, between } = context;
  const { run, incidentAt } = texts;
  const planRun = new PlanPart(
    "PlanRun",
    `${name}-run`,
    { run, plan: texts.plan, secrets: texts.secrets },
    { parent, ...(dependsOn !== undefined && { dependsOn }) },
    backend,
  );
  warnOfUnmeasurableGoals(plan, parent);
  const waves: { readonly intent: PlanPart; readonly wave: PlanPart }[] = [];
  for (const [index, given] of plan.waves.entries()) {
    const ofWave = texts.waves[index] as WaveTexts;
    const before = waves.at(-1)?.wave ?? planRun;
    const waveName = `${name}-wave-${given.name}`;
    const intent = new PlanPart(
      "WaveIntent",
      `${waveName}-intent`,
      // The run is the stored run: where `--target` leaves it out, a wave has nothing new to do.
      { run: planRun.output<string>("run"), declared: ofWave.declared, behind: ofWave.behind, incidentAt },
      { parent, dependsOn: [before, ...(between?.dependencies[index] ?? [])] },
      backend,
    );
    const wave = new PlanPart(
      "Wave",
      waveName,
      {
        // From the intent, not from the program: a wave under `--target` has nothing new to do without its intent.
        run: intent.output<string>("run"),
        restores: intent.output<string>("restores"),
        earlier: earlierText(texts.waves.slice(0, index), ofWave, waves),
        options: ofWave.options,
        onFailure: plan.onFailure,
      },
      { parent, dependsOn: [intent] },
      backend,
    );
    waves.push({ intent, wave });
  }
  between?.recordConstructed(waves.map(({ wave }) => wave));
  const verdict = new PlanPart(
    "Verdict",
    `${name}-verdict`,
    {
      run,
      plan: texts.plan,
      ofRun: Object.fromEntries(["run", "startedAt", "up", "changes"].map((key) => [key, planRun.output(key)])),
      waves: waves.map(({ intent, wave }, index) => ({
        name: plan.waves[index]?.name,
        intentRun: intent.output("run"),
        restores: intent.output("restores"),
        run: wave.output("run"),
        record: wave.output("record"),
      })),
      between: mapKnown(between?.digests() ?? {}, jsonText),
    },
    { parent, dependsOn: waves.map(({ wave }) => wave) },
    backend,
  );
  const goals = verdict.output<string | undefined>("goals").apply(readGoalResults);
  return {
    verdict: verdict.output("verdict"),
    reasons: verdict.output("reasons"),
    recoveryTimeSeconds: verdict.output("recoveryTimeSeconds"),
    counts: verdict.output("counts"),
    goals,
    restores: pulumi
      .all([goals, pulumi.output(waves.map(({ intent, wave }) => before(intent, wave)))])
      .apply(([ofGoals, stored]) =>
        plannedResults(
          plan.waves.map((wave, index) => ({ name: wave.name, ...(stored[index] as WaveBefore) })),
          ofGoals,
        ),
      ),
  };
}

function before(intent: PlanPart, wave: PlanPart): Readonly<Record<keyof WaveBefore, pulumi.Output<unknown>>> {
  return { run: intent.output("run"), restores: intent.output("restores"), record: wave.output("record") };
}

/** What previous waves have done with the machines that they share with a wave. Most share none, and then nothing is needed. */
function earlierText(
  earlier: readonly WaveTexts[],
  { forms }: WaveTexts,
  waves: readonly { readonly intent: PlanPart; readonly wave: PlanPart }[],
): unknown {
  const sharing = mapEach([forms, ...earlier.map((wave) => wave.forms)], (own, ...others) => {
    const machines = new Set(Object.values(own).map(({ machine }) => machine));
    return others.map((of) => Object.values(of).some(({ machine }) => machines.has(machine)));
  });
  if (Array.isArray(sharing) && !sharing.includes(true)) return jsonText({});
  const stored = waves.filter((_, index) => !Array.isArray(sharing) || sharing[index] === true);
  const texts = pulumi.all(stored.map(({ intent, wave }) => pulumi.output(before(intent, wave))));
  return mapEach([forms, texts], (own, known) => jsonText(earlierMachines(own, known)));
}

/** Warns before the run: afterwards it would be too late to give the time of a recovery point. */
function warnOfUnmeasurableGoals(plan: ReadPlan, resource: pulumi.Resource): void {
  const names = plan.waves.flatMap((wave) =>
    Object.entries(wave.restores as Readonly<Record<string, GivenRestore>>).flatMap(([name, restore]) => {
      const isByRule = !isGiven(restore.recoveryPointId);
      const hasGoal =
        isGiven(restore.goals?.dataAge) || effectiveGoals(wave.goals, plan.goals).dataAgeSeconds !== undefined;
      return hasGoal && !isByRule && !isGiven(restore.recoveryPointTakenAt) ? [name] : [];
    }),
  );
  if (names.length === 0) return;
  void pulumi.log.warn(
    `a goal for the age of the data applies to ${names.join(", ")}, but recoveryPointTakenAt is not given: the age cannot be measured, and ` +
      "the verdict will be incomplete at best",
    resource,
  );
}

interface GivenRestore {
  readonly recoveryPointId?: unknown;
  readonly recoveryPointTakenAt?: unknown;
  readonly goals?: { readonly dataAge?: unknown } | null;
}
