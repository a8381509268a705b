import * as pulumi from "@pulumi/pulumi";
import { planType } from "../inputs/resource-names";
import { omit } from "../plain/plain";
import type { StoredGoal, StoredSlowest, StoredVerdict } from "../plan/stored";
import type { PlannedRestoreResult } from "./construct-plan";
import type * as dynamicPlan from "./dynamic-plan";
import type { RecoveryPlanArgs } from "./plan-args";

export type { PlannedRestoreResult } from "./construct-plan";

/**
 * Many machines, restored in waves, and one verdict.
 *
 * The restores of a wave are requested at once and waited for together. Each machine is checked when its restore has ended. The next wave
 * begins when all of them are well. The verdict says whether the goals were met.
 *
 * Every restore is posted once per `run`. The next `pulumi up` picks up a run that was cut off. A new name in `run` restores everything
 * again, and an unchanged plan does nothing. Deleting a plan forgets it and sends nothing.
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
 * ```
 */
export class RecoveryPlan extends pulumi.ComponentResource {
  /** The type of these components, by which policy packs match the class. */
  static readonly __pulumiType: string = planType;

  /** The result of the run. */
  declare readonly verdict: pulumi.Output<StoredVerdict["verdict"]>;
  /** The reasons for any verdict but a plain `passed`. */
  declare readonly reasons: pulumi.Output<readonly string[]>;
  /** The time from the first request to the last end or check, undefined unless every restore is complete and checked. */
  declare readonly recoveryTimeSeconds: pulumi.Output<number | undefined>;
  /** The restore that took longest. */
  declare readonly slowest: pulumi.Output<StoredSlowest | undefined>;
  /** The number of restores, by how they ended. */
  declare readonly counts: pulumi.Output<StoredVerdict["counts"]>;
  /** Every goal, with its verdict. */
  declare readonly goals: pulumi.Output<readonly StoredGoal[]>;
  /** The result of every restore, by its name. */
  declare readonly restores: pulumi.Output<Readonly<Record<string, PlannedRestoreResult>>>;

  /**
   * @param name The plan's name; the names of everything in it begin with it.
   * @param args The restores, their order, and the goals and checks they have to meet.
   * @param opts Options as for any component; `provider` restores on another panel.
   */
  constructor(name: string, args: RecoveryPlanArgs, opts?: pulumi.ComponentResourceOptions) {
    const { readPlanOrThrow: readOrThrow, callDependsOn, constructDynamicPlan } = loadDynamicPlan();
    const plan = readOrThrow(name, args);
    const between = callDependsOn(name, plan);
    super(planType, name, {}, opts);
    const outputs = constructDynamicPlan(name, plan, { parent: this, dependsOn: opts?.dependsOn, between });
    Object.assign(this, outputs);
    this.registerOutputs(storedOutputs(outputs));
  }
}

/** The outputs that are stored with the plan itself. What came of each restore and goal is stored with waves and verdict. */
export function storedOutputs(outputs: pulumi.Inputs): pulumi.Inputs {
  return omit(outputs, "restores", "goals");
}

/** Loads the code with the first plan, so that a program without plans does not pay for it. */
function loadDynamicPlan(): typeof dynamicPlan {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import statement would load it with the package
  return require("./dynamic-plan") as typeof dynamicPlan;
}
