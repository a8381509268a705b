import * as pulumi from "@pulumi/pulumi";
import { planType } from "../../provider/inputs/resource-names";
import { omit } from "../../provider/plain/plain";
import type { VerdictWord } from "../judge/judge";
import type { RecoveryPlanArgs } from "./args";
import type * as constructing from "./construct-plan";
import type { PlannedRestoreResult } from "./results";

/**
 * Restores many machines in waves, and gives one verdict.
 *
 * The restores in a wave are sent together, and each machine is checked once its restore has ended. The next wave begins when everything in
 * the previous wave is complete and checked. The verdict says whether the goals were met.
 *
 * Every restore is posted once per `run`. The next `pulumi up` continues an interrupted run, and repeats what has failed. A new name in
 * `run` restores everything again, and an unchanged plan does nothing. Deleting a plan only forgets it.
 *
 * ```ts
 * const plan = new recovery.RecoveryPlan("shop", {
 *   run: "2026-Q4",
 *   goals: { recoveryTime: "1h" },
 *   waves: [
 *     { name: "data", restores: { db: { virtualMachineId: 43, recoveryPointId: 1008, checks: [{ tcp: "10.0.0.43:5432" }] } } },
 *     { name: "front", restores: { web: { virtualMachineId: 42, recoveryPointId: 1007 } } },
 *   ],
 * });
 * export const verdict = plan.verdict;
 * export const reasons = plan.reasons;
 * ```
 */
export class RecoveryPlan extends pulumi.ComponentResource {
  /** The type of these components, by which policy packs match the class. */
  static readonly __pulumiType: string = planType;

  /** The result of the run. */
  declare readonly verdict: pulumi.Output<VerdictWord>;
  /** The reasons for any verdict other than `passed`. */
  declare readonly reasons: pulumi.Output<readonly string[]>;
  /** The time from the first request until the last restore or check ended; undefined unless every restore is complete and checked. */
  declare readonly recoveryTimeSeconds: pulumi.Output<number | undefined>;
  /** The result of every restore, by name. */
  declare readonly restores: pulumi.Output<Readonly<Record<string, PlannedRestoreResult>>>;

  /**
   * @param name The plan's name, which is also the prefix of every name in it.
   * @param args The restores, their order, and the goals and checks they must meet.
   * @param opts Options as for any component; `provider` restores on another panel.
   */
  constructor(name: string, args: RecoveryPlanArgs, opts?: pulumi.ComponentResourceOptions) {
    const { preparePlanOrThrow, constructPlan, dynamicBackend } = loadConstructPlan();
    const prepared = preparePlanOrThrow(name, args);
    super(planType, name, {}, opts);
    const outputs = constructPlan(prepared, { parent: this, dependsOn: opts?.dependsOn, backend: dynamicBackend });
    Object.assign(this, outputs);
    this.registerOutputs(storedOutputs(outputs));
  }
}

/** The outputs that are stored with the plan itself. The results of restores are stored with its waves. */
export function storedOutputs(outputs: pulumi.Inputs): pulumi.Inputs {
  return omit(outputs, "restores");
}

/** Loads the code when the first plan is constructed, so that a program without plans never loads it. */
function loadConstructPlan(): typeof constructing {
  // oxlint-disable-next-line typescript/no-require-imports -- an import statement would load it with the package
  return require("./construct-plan") as typeof constructing;
}
