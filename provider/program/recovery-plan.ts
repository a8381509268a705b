import * as pulumi from "@pulumi/pulumi";
import { planType } from "../inputs/resource-names";
import type { StoredGoal, StoredSlowest, StoredVerdict } from "../plan/stored";
import type { PlannedRestoreResult } from "./construct-plan";
import type * as dynamicPlan from "./dynamic-plan";
import type { RecoveryPlanArgs } from "./plan-args";

export type { PlannedRestoreResult } from "./construct-plan";

/**
 * Many machines in order, and one verdict. The restores of a wave are requested at once and waited for together; each machine is checked
 * when its restore has ended; the next wave begins when all is well. At the end stands whether the goals were met.
 *
 * Every restore is posted once per `run`: a run that was cut off is picked up by the next `pulumi up`, a new name in `run` restores
 * everything again, and an unchanged plan does nothing. Deleting a plan forgets it and sends nothing.
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
  /** What the run comes to. */
  declare readonly verdict: pulumi.Output<StoredVerdict["verdict"]>;
  /** Why, when it has not simply passed. */
  declare readonly reasons: pulumi.Output<readonly string[]>;
  /** From the first request to the last end or check. Undefined unless every restore is back and checked. */
  declare readonly recoveryTimeSeconds: pulumi.Output<number | undefined>;
  /** The restore that took longest. */
  declare readonly slowest: pulumi.Output<StoredSlowest | undefined>;
  /** How many restores were planned, and how they ended. */
  declare readonly counts: pulumi.Output<StoredVerdict["counts"]>;
  /** Every goal, and whether it was met. */
  declare readonly goals: pulumi.Output<readonly StoredGoal[]>;
  /** Every restore by its name. */
  declare readonly restores: pulumi.Output<Readonly<Record<string, PlannedRestoreResult>>>;
  /** Tells this plan from another one, triggers aside. */
  declare readonly digest: pulumi.Output<string>;

  /**
   * @param name The plan's name; the names of everything in it begin with it.
   * @param args What to restore in which order, and what is expected of it.
   * @param opts Options as for any component; `provider` restores on another panel.
   */
  constructor(name: string, args: RecoveryPlanArgs, opts?: pulumi.ComponentResourceOptions) {
    const { readPlanOrThrow: readOrThrow, constructDynamicPlan } = loadDynamicPlan();
    const plan = readOrThrow(name, args);
    super(planType, name, {}, opts);
    const outputs = constructDynamicPlan(name, plan, { parent: this, dependsOn: opts?.dependsOn });
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/** Loaded with the first plan: a program that declares restores alone does not pay for reading plans and registering their parts. */
function loadDynamicPlan(): typeof dynamicPlan {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import statement would load it with the package
  return require("./dynamic-plan") as typeof dynamicPlan;
}
