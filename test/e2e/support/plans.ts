import type { RecoveryPlanArgs } from "pulumi-recovery";
import type { StackConfig } from "../../../tools/engine/workspace";
import { fixture } from "./program";
import type { Scene, StackOptions } from "./scene";
import type { TestStack } from "./stack";

/** A stack with one plan, `shop`, that a test declares as data, and declares anew to change it. */
export function planned(
  scene: Pick<Scene, "stack">,
  plan: RecoveryPlanArgs,
  options: StackOptions = {},
): Promise<TestStack> {
  return scene.stack(fixture("plans"), { ...options, config: { ...options.config, ...declarePlan(plan) } });
}

export function declarePlan(plan: RecoveryPlanArgs): StackConfig {
  return { "e2e:plan": JSON.stringify(plan) };
}
