import * as pulumi from "@pulumi/pulumi";
import type { StoredStep, StoredVerdict } from "../plan/stored";
import type { WayIn } from "./way-in";

/** Named without a value, so that they exist from the construction on. */
const slots = (...names: readonly string[]): pulumi.Inputs =>
  Object.fromEntries(names.map((name) => [name, undefined]));

/** What stands in the state from another way in becomes this resource. */
function knownBefore(
  part: "PlanRun" | "PlanWave" | "PlanVerdict",
  name: string,
  opts: pulumi.CustomResourceOptions,
  way: WayIn,
): pulumi.CustomResourceOptions {
  return way.formerly === undefined ? opts : { ...opts, aliases: [...way.formerly(part, name)] };
}

/** What remembers a run of a plan: saved before anything of it is posted. Plans make theirs themselves. */
export class PlanRun extends pulumi.CustomResource {
  declare readonly plan: pulumi.Output<string>;
  declare readonly run: pulumi.Output<string>;
  declare readonly asGiven: pulumi.Output<unknown>;
  declare readonly incidentAt: pulumi.Output<string | undefined>;
  declare readonly digest: pulumi.Output<string>;

  constructor(name: string, inputs: pulumi.Inputs, opts: pulumi.CustomResourceOptions, way: WayIn) {
    const outputs = slots(
      "incidentAt",
      "digest",
      "previous",
      "changed",
      "startedAt",
      "by",
      "pipeline",
      "versions",
      "panel",
    );
    super(
      way.types.PlanRun,
      name,
      { ...outputs, ...inputs, ...way.carried("PlanRun") },
      pulumi.mergeOptions(knownBefore("PlanRun", name, opts, way), { hideDiffs: ["expected"] }),
    );
  }
}

/** What waits for the restores of a wave and checks their machines. Plans make theirs themselves. */
export class PlanWave extends pulumi.CustomResource {
  declare readonly run: pulumi.Output<string>;
  declare readonly index: pulumi.Output<number>;
  declare readonly name: pulumi.Output<string>;
  declare readonly restores: pulumi.Output<Readonly<Record<string, StoredStep>>>;
  declare readonly reasons: pulumi.Output<readonly string[]>;
  declare readonly firstRequestedAt: pulumi.Output<string | undefined>;

  constructor(name: string, inputs: pulumi.Inputs, opts: pulumi.CustomResourceOptions, way: WayIn) {
    const outputs = slots(
      "restores",
      "reasons",
      "firstRequestedAt",
      "startedAt",
      "endedAt",
      "checkOutput",
      "logOutput",
    );
    super(
      way.types.PlanWave,
      name,
      { ...outputs, ...inputs, ...way.carried("PlanWave") },
      // The restores' records are long, and what a check asks is nothing for a terminal.
      pulumi.mergeOptions(knownBefore("PlanWave", name, opts, way), {
        additionalSecretOutputs: ["probes", "checkOutput", "logOutput"],
        hideDiffs: ["asked", "probes"],
      }),
    );
  }
}

/** What a run comes to. Plans make theirs themselves. */
export class PlanVerdict extends pulumi.CustomResource {
  declare readonly verdict: pulumi.Output<StoredVerdict["verdict"]>;
  declare readonly reasons: pulumi.Output<StoredVerdict["reasons"]>;
  declare readonly recoveryTimeSeconds: pulumi.Output<number | undefined>;
  declare readonly slowest: pulumi.Output<StoredVerdict["slowest"]>;
  declare readonly counts: pulumi.Output<StoredVerdict["counts"]>;
  declare readonly goals: pulumi.Output<StoredVerdict["goals"]>;

  constructor(name: string, inputs: pulumi.Inputs, opts: pulumi.CustomResourceOptions, way: WayIn) {
    const outputs = slots("verdict", "reasons", "recoveryTimeSeconds", "slowest", "counts", "goals", "decidedAt");
    super(
      way.types.PlanVerdict,
      name,
      { ...outputs, ...inputs, ...way.carried("PlanVerdict") },
      pulumi.mergeOptions(knownBefore("PlanVerdict", name, opts, way), { hideDiffs: ["of", "waves"] }),
    );
  }
}
