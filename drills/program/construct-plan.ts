import * as pulumi from "@pulumi/pulumi";
import { Problems } from "../../provider/inputs/problems";
import type { Backend } from "../../provider/program/backend";
import { refuseMisspelledSettings } from "../../provider/program/program-settings";
import { isOutputOrPromise } from "../../provider/program/program-values";
import { programError } from "../../provider/program/stack-traces";
import { nameProblem, type ReadPlan, readPlan } from "../inputs/read-plan";
import { type BetweenWaves, callDependsOn, checkDependsOn } from "./between-waves";
import { planTexts, type PlanTexts, throwProblems, type WaveTexts } from "./plan-texts";
import { plannedResults } from "./results";

export { dynamicBackend } from "../../provider/program/backend";

export interface PlanContext {
  readonly parent: pulumi.Resource;
  readonly dependsOn: pulumi.ResourceOptions["dependsOn"];
  readonly backend: Backend;
}

/** Prepares a plan. If there are mistakes, throws one error that lists them all, each with its property path, before anything is registered. */
export function preparePlanOrThrow(name: string, args: unknown): PreparedPlan {
  const problems = new Problems();
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) throw programError(`the name of a RecoveryPlan${wrongName}`);
  const plan = readPlan(args, { isUnknown: isOutputOrPromise, problems, checkDependsOn });
  throwProblems(name, problems.all);
  return preparePlan(name, plan as ReadPlan);
}

export function preparePlan(name: string, plan: ReadPlan): PreparedPlan {
  return { name, plan, texts: planTexts(name, plan), between: callDependsOn(name, plan) };
}

export interface PreparedPlan {
  readonly name: string;
  readonly plan: ReadPlan;
  readonly texts: PlanTexts;
  readonly between: BetweenWaves;
}

/**
 * Registers a plan's resources and returns the plan's outputs, for programs in any language.
 *
 * ```
 * run ◂─ intent of wave 1 ◂─ wave 1 ◂─ `dependsOn` of wave 2 ◂─ intent of wave 2 ◂─ wave 2 ◂─ verdict
 * ```
 * Each part is saved before the next begins.
 */
export function constructPlan(prepared: PreparedPlan, context: PlanContext): pulumi.Inputs {
  refuseMisspelledSettings();
  const { name: plan, texts, between } = prepared;
  const inputs = { run: texts.run, plan: texts.plan, lookUp: prepared.plan.lookUp };
  const planRun = new PlanPart("PlanRun", `${plan}-run`, inputs, context);
  const waves = constructWaves(prepared, context, planRun);
  between.recordConstructed(waves.map(({ wave }) => wave));
  const stored = waves.map(({ name, intent, wave }) => ({
    name,
    intentRun: intent.output("run"),
    restores: intent.output<unknown>("restores"),
    run: wave.output("run"),
    record: wave.output<unknown>("record"),
  }));
  const verdict = new PlanPart(
    "Verdict",
    `${plan}-verdict`,
    {
      run: texts.run,
      // Read from the stored run, not from the program: a run that was left out of the update does not know the program's changes.
      __plan: planRun.output("plan"),
      __ofRun: { run: planRun.output("run"), up: planRun.output("up"), changed: planRun.output("changed") },
      __waves: stored,
    },
    { ...context, dependsOn: waves.map(({ wave }) => wave) },
  );
  return {
    verdict: verdict.output("verdict"),
    reasons: verdict.output("reasons"),
    recoveryTimeSeconds: verdict.output("recoveryTimeSeconds"),
    restores: pulumi.output(stored).apply(plannedResults),
  };
}

function constructWaves(
  { name: plan, plan: given, texts, between }: PreparedPlan,
  context: PlanContext,
  planRun: PlanPart,
) {
  let previous = planRun;
  return given.waves.map(({ name }, index) => {
    const { declared, options } = texts.waves[index] as WaveTexts;
    const intent = new PlanPart(
      "WaveIntent",
      `${plan}-wave-${name}-intent`,
      {
        // Read from the stored run, not from the program.
        run: planRun.output<string>("run"),
        // Reveals whether `--target` or `--exclude` left out earlier parts: this part would then follow a different plan, or run out of order.
        __after: previous.row,
        declared,
        incidentAt: texts.incidentAt,
      },
      { ...context, dependsOn: [previous, ...(between.dependencies[index] ?? [])] },
    );
    const wave = new PlanPart(
      "Wave",
      `${plan}-wave-${name}`,
      {
        // Read from the intent, not from the program.
        run: intent.output<string>("run"),
        __restores: intent.output<string>("restores"),
        __after: intent.row,
        __options: options,
        onFailure: given.onFailure,
      },
      { ...context, dependsOn: [intent] },
    );
    previous = wave;
    return { name, intent, wave };
  });
}

type PartName = "PlanRun" | "WaveIntent" | "Wave" | "Verdict";

/** The properties of each part that are not inputs. */
const outputsOf: Readonly<Record<PartName, readonly string[]>> = {
  PlanRun: ["startedAt", "up", "by", "changed", "earlierRuns", "askedBefore"],
  WaveIntent: ["restores"],
  Wave: ["record", "logs"],
  Verdict: ["verdict", "reasons", "recoveryTimeSeconds"],
};

/** Properties whose changes are listed in a row. All others are described in the row's message, and their values are wider than a terminal. */
const listed: Readonly<Record<PartName, readonly string[]>> = {
  PlanRun: ["run", "plan", "lookUp"],
  WaveIntent: ["run"],
  Wave: [],
  Verdict: outputsOf.Verdict,
};

/** A resource of a plan: the run, a wave's intent, a wave, or the verdict. */
class PlanPart extends pulumi.CustomResource {
  /** The part's own URN, which is known immediately. */
  readonly row: Promise<string>;

  constructor(part: PartName, name: string, inputs: pulumi.Inputs, { parent, dependsOn, backend }: PlanContext) {
    // The SDK creates outputs only for the properties that are passed to it.
    const unset = Object.fromEntries(outputsOf[part].map((output) => [output, undefined]));
    const type = backend.types[part];
    const aliases = backend.aliasesFor?.(part, name);
    const row = urnOf(name, type, parent);
    super(
      type,
      name,
      // `__row`: to log on the resource's row, the provider needs the URN, which the engine does not pass to it.
      { ...unset, ...inputs, __row: row, ...backend.extraProperties(part) },
      {
        parent,
        // A part that is created again continues from the record of the deleted part.
        deleteBeforeReplace: true,
        // Overrides the plan's option: a part that is never deleted would leave no record for its replacement.
        retainOnDelete: false,
        additionalSecretOutputs: ["logs"],
        hideDiffs: ["__row", ...Object.keys({ ...inputs, ...unset }).filter((name) => !listed[part].includes(name))],
        ...(dependsOn && { dependsOn }),
        ...(aliases && { aliases: [...aliases] }),
      },
    );
    this.row = row;
  }

  /** Returns an output, or an input as it is stored. */
  output<Value>(name: string): pulumi.Output<Value> {
    return (this as unknown as Readonly<Record<string, pulumi.Output<Value>>>)[name] as pulumi.Output<Value>;
  }
}

/** Returns a promise, because an output would make each part of a plan depend on the plan, and therefore on every other part. */
function urnOf(name: string, type: string, parent: pulumi.Resource): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}
