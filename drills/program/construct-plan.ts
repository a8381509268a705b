import * as pulumi from "@pulumi/pulumi";
import { Problems } from "../../provider/inputs/problems";
import type { Backend } from "../../provider/program/backend";
import { omitUndefined } from "../../provider/plain/plain";
import { refuseMisspelledSettings } from "../../provider/program/program-settings";
import { isOutputOrPromise } from "../../provider/program/program-values";
import { cheapenStackTraces, programError } from "../../provider/program/stack-traces";
import { nameProblem, type ReadPlan, readPlan } from "../inputs/read-plan";
import { type BetweenWaves, checkDependsOn } from "./between-waves";
import { planTexts, type PlanTexts, runOfVerdict, throwProblems, type WaveTexts } from "./plan-texts";
import { plannedResults, type StoredWave } from "./results";

export { dynamicBackend } from "../../provider/program/backend";
export { callDependsOn } from "./between-waves";

export interface PlanContext {
  readonly parent: pulumi.Resource;
  readonly dependsOn: pulumi.ResourceOptions["dependsOn"];
  readonly backend: Backend;
  /** @default nothing between the waves */
  readonly between?: BetweenWaves;
}

/** Reads a plan. If there are mistakes, throws one error that lists them all, each with its property path, before anything is registered. */
export function readPlanOrThrow(name: unknown, args: unknown): ReadPlan {
  const problems = new Problems();
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) throw programError(`the name of a RecoveryPlan${wrongName}`);
  const plan = readPlan(args, { isUnknown: isOutputOrPromise, problems, checkDependsOn });
  throwProblems(String(name), problems.all);
  return plan as ReadPlan;
}

export function preparePlan(name: string, plan: ReadPlan): PreparedPlan {
  return { name, plan, texts: planTexts(name, plan) };
}

export interface PreparedPlan {
  readonly name: string;
  readonly plan: ReadPlan;
  readonly texts: PlanTexts;
}

/** Registers a plan's resources and returns the plan's outputs, for programs in any language. */
export function constructPlan(prepared: PreparedPlan, context: PlanContext): pulumi.Inputs {
  const undo = cheapenStackTraces();
  try {
    return constructParts(prepared, context);
  } finally {
    undo();
  }
}

/**
 * ```
 * run ◂─ intent of wave 1 ◂─ wave 1 ◂─ `dependsOn` of wave 2 ◂─ intent of wave 2 ◂─ wave 2 ◂─ verdict
 * ```
 * Each part is saved before the next begins.
 */
function constructParts(prepared: PreparedPlan, context: PlanContext): pulumi.Inputs {
  refuseMisspelledSettings();
  const { name, plan, texts } = prepared;
  const { parent, dependsOn, backend, between } = context;
  const { run } = texts;
  const planRun = new PlanPart(
    "PlanRun",
    `${name}-run`,
    { run, plan: texts.plan, lookUp: plan.lookUp },
    omitUndefined<PartOptions>({ parent, dependsOn }),
    backend,
  );
  const waves: ConstructedWave[] = [];
  for (const index of plan.waves.keys())
    waves.push(constructWave(prepared, context, index, [planRun, waves.at(-1)?.wave ?? planRun]));
  between?.recordConstructed(waves.map(({ wave }) => wave));
  const verdict = new PlanPart(
    "Verdict",
    `${name}-verdict`,
    {
      run,
      // Read from the stored run, not from the program: a run that was left out of the update does not know the program's changes.
      __plan: planRun.output("plan"),
      __ofRun: runOfVerdict((name) => planRun.output(name)),
      __waves: waves.map(({ name, intent, wave }) => ({
        name,
        intentRun: intent.output("run"),
        restores: intent.output("restores"),
        run: wave.output("run"),
        record: wave.output("record"),
      })),
    },
    { parent, dependsOn: waves.map(({ wave }) => wave) },
    backend,
  );
  const stored = waves.map(({ name, intent, wave }) =>
    pulumi
      .all([intent.output("restores"), wave.output("record")])
      .apply(([restores, record]): StoredWave => ({ name, restores, record })),
  );
  return {
    verdict: verdict.output("verdict"),
    reasons: verdict.output("reasons"),
    recoveryTimeSeconds: verdict.output("recoveryTimeSeconds"),
    restores: pulumi.all(stored).apply(plannedResults),
  };
}

interface ConstructedWave {
  readonly name: string;
  readonly intent: PlanPart;
  readonly wave: PlanPart;
}

function constructWave(
  { name: plan, plan: { waves, onFailure }, texts }: PreparedPlan,
  { parent, backend, between }: PlanContext,
  index: number,
  [planRun, previous]: readonly [PlanPart, PlanPart],
): ConstructedWave {
  const { name } = waves[index] as ReadPlan["waves"][number];
  const { declared, options } = texts.waves[index] as WaveTexts;
  const waveName = `${plan}-wave-${name}`;
  const intent = new PlanPart(
    "WaveIntent",
    `${waveName}-intent`,
    {
      // Read from the stored run, not from the program.
      run: planRun.output<string>("run"),
      // Reveals whether `--target` or `--exclude` left out earlier parts: this part would then follow a different plan, or run out of order.
      __after: previous.row,
      declared,
      incidentAt: texts.incidentAt,
    },
    { parent, dependsOn: [previous, ...(between?.dependencies[index] ?? [])] },
    backend,
  );
  const wave = new PlanPart(
    "Wave",
    waveName,
    {
      // Read from the intent, not from the program.
      run: intent.output<string>("run"),
      __restores: intent.output<string>("restores"),
      __after: intent.row,
      __options: options,
      onFailure,
    },
    { parent, dependsOn: [intent] },
    backend,
  );
  return { name, intent, wave };
}

type PartOptions = pulumi.CustomResourceOptions & { readonly parent: pulumi.Resource };

type PartName = "PlanRun" | "WaveIntent" | "Wave" | "Verdict";

interface Part {
  /** The properties that are not inputs. */
  readonly outputs: readonly string[];
  /** Properties whose changes are not listed in a row: the row's message describes the changes, and the values are wider than a terminal. */
  readonly hideDiffs: readonly string[];
}

const ofRun = ["startedAt", "up", "by", "changed", "earlierRuns", "askedBefore"];
const parts: Readonly<Record<PartName, Part>> = {
  PlanRun: { outputs: ofRun, hideDiffs: ofRun },
  WaveIntent: { outputs: ["restores"], hideDiffs: ["__after", "declared", "incidentAt", "restores"] },
  Wave: {
    outputs: ["record", "logs"],
    hideDiffs: ["run", "__restores", "__after", "__options", "onFailure", "record", "logs"],
  },
  Verdict: {
    outputs: ["verdict", "reasons", "recoveryTimeSeconds"],
    hideDiffs: ["run", "__plan", "__ofRun", "__waves"],
  },
};

/** A resource of a plan: the run, a wave's intent, a wave, or the verdict. */
class PlanPart extends pulumi.CustomResource {
  /** The part's own URN, which is known immediately. */
  readonly row: Promise<string>;

  constructor(part: PartName, name: string, inputs: pulumi.Inputs, opts: PartOptions, backend: Backend) {
    const { outputs, hideDiffs } = parts[part];
    // The SDK creates outputs only for the properties that are passed to it.
    const unset = Object.fromEntries(outputs.map((output) => [output, undefined]));
    const type = backend.types[part];
    const aliases = backend.aliasesFor?.(part, name);
    const row = urnOf(name, type, opts.parent);
    super(
      type,
      name,
      // `__row`: to log on the resource's row, the provider needs the URN, which the engine does not pass to it.
      { ...unset, ...inputs, __row: row, ...backend.extraProperties(part) },
      {
        ...opts,
        // A part that is created again continues from the record of the deleted part.
        deleteBeforeReplace: true,
        // Overrides the plan's option: a part that is never deleted would leave no record for its replacement.
        retainOnDelete: false,
        additionalSecretOutputs: ["logs"],
        hideDiffs: ["__row", ...hideDiffs],
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
