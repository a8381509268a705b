import * as pulumi from "@pulumi/pulumi";
import { readDefinition } from "../plan/definition";
import type {
  StoredChange,
  StoredDefinition,
  StoredPlan,
  StoredRevision,
  StoredStep,
  StoredVerdict,
  StoredWave,
} from "../plan/stored";
import type { Backend } from "./backend";

/** Properties without a value: the SDK makes an output of every property it is given, and of no other. */
const unsetOutputs = (...names: readonly string[]): pulumi.Inputs =>
  Object.fromEntries(names.map((name) => [name, undefined]));

/** Adds the aliases under which the state may hold this resource from the other backend. */
function withAliases(
  part: "PlanRun" | "PlanWave" | "PlanVerdict",
  name: string,
  opts: pulumi.CustomResourceOptions,
  backend: Backend,
): pulumi.CustomResourceOptions {
  return backend.aliasesFor === undefined ? opts : { ...opts, aliases: [...backend.aliasesFor(part, name)] };
}

/** The record of a plan's run, saved before anything of it is posted. A plan constructs its own. */
export class PlanRun extends pulumi.CustomResource {
  declare readonly plan: pulumi.Output<string>;
  declare readonly run: pulumi.Output<string>;
  declare readonly asGiven: pulumi.Output<StoredPlan>;
  /** Undefined in a state of an earlier release, where the run was left out. */
  declare readonly definition: pulumi.Output<StoredDefinition | undefined>;
  declare readonly incidentAt: pulumi.Output<string | undefined>;
  declare readonly revisions: pulumi.Output<Readonly<Record<string, StoredRevision>> | undefined>;
  declare readonly history: pulumi.Output<readonly StoredChange[]>;
  declare readonly startedAt: pulumi.Output<string>;
  declare readonly process: pulumi.Output<string | undefined>;

  constructor(name: string, inputs: pulumi.Inputs, opts: pulumi.CustomResourceOptions, backend: Backend) {
    const outputs = unsetOutputs(
      "incidentAt",
      "revisions",
      "begunWith",
      "history",
      "previous",
      "changed",
      "startedAt",
      "process",
      "by",
      "pipeline",
      "versions",
      "panel",
    );
    super(
      backend.types.PlanRun,
      name,
      { ...outputs, ...inputs, ...backend.extraProperties("PlanRun") },
      pulumi.mergeOptions(withAliases("PlanRun", name, opts, backend), {
        additionalSecretOutputs: ["definition", "begunWith"],
        hideDiffs: ["definition", "begunWith", "revisions"],
      }),
    );
    // The state has a text, which is read once for all restores.
    this.definition = this.definition.apply(readDefinition);
  }
}

/** Waits for the restores of a wave and checks their machines. A plan constructs its own. */
export class PlanWave extends pulumi.CustomResource {
  declare readonly run: pulumi.Output<string>;
  declare readonly index: pulumi.Output<number>;
  declare readonly name: pulumi.Output<string>;
  declare readonly restores: pulumi.Output<Readonly<Record<string, StoredStep>>>;
  declare readonly reasons: pulumi.Output<readonly string[]>;
  declare readonly earlierTries: pulumi.Output<StoredWave["earlierTries"]>;

  /** `numberedName` is the name that earlier releases gave it. */
  constructor(
    name: string,
    inputs: pulumi.Inputs,
    opts: pulumi.CustomResourceOptions,
    backend: Backend,
    numberedName: string,
  ) {
    const outputs = unsetOutputs(
      "restores",
      "earlierTries",
      "reasons",
      "startedAt",
      "endedAt",
      "checkOutput",
      "logOutput",
    );
    super(
      backend.types.PlanWave,
      name,
      { ...outputs, ...inputs, ...backend.extraProperties("PlanWave") },
      // These are too long for a terminal.
      pulumi.mergeOptions(withAliases("PlanWave", name, opts, backend), {
        // A wave that is made anew takes the record over from the one that is deleted.
        deleteBeforeReplace: true,
        aliases: [{ name: numberedName }, ...(backend.aliasesFor?.("PlanWave", numberedName) ?? [])],
        additionalSecretOutputs: ["checkOutput", "logOutput"],
        hideDiffs: ["planned", "definition", "revisions"],
      }),
    );
  }
}

/** The verdict of a run. A plan constructs its own. */
export class PlanVerdict extends pulumi.CustomResource {
  declare readonly verdict: pulumi.Output<StoredVerdict["verdict"]>;
  declare readonly reasons: pulumi.Output<StoredVerdict["reasons"]>;
  declare readonly recoveryTimeSeconds: pulumi.Output<number | undefined>;
  declare readonly slowest: pulumi.Output<StoredVerdict["slowest"]>;
  declare readonly counts: pulumi.Output<StoredVerdict["counts"]>;
  declare readonly goals: pulumi.Output<StoredVerdict["goals"]>;

  constructor(name: string, inputs: pulumi.Inputs, opts: pulumi.CustomResourceOptions, backend: Backend) {
    const outputs = unsetOutputs(
      "verdict",
      "reasons",
      "recoveryTimeSeconds",
      "slowest",
      "counts",
      "goals",
      "decidedAt",
    );
    super(
      backend.types.PlanVerdict,
      name,
      { ...outputs, ...inputs, ...backend.extraProperties("PlanVerdict") },
      pulumi.mergeOptions(withAliases("PlanVerdict", name, opts, backend), { hideDiffs: ["of", "waves"] }),
    );
  }
}
