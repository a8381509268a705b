import type { RecoveryCheckArgs, RecoveryPlanArgs } from "pulumi-recovery";
import { report, type Report } from "../../../report";
import type { StackConfig } from "../../../tools/engine/workspace";
import { fixture } from "./program";
import type { Scene, StackOptions } from "./scene";
import type { TestStack } from "./stack";

/** A test's panel lists everything at once, so no restore waits long to be listed. */
export const quick = { "recovery:requestTimeout": "2s" };
export const planTimeouts = { listed: "2s", settle: 0 };

/** A machine, with these checks, and then the files of another machine. */
export function planArgs(checks: RecoveryCheckArgs[] = []): RecoveryPlanArgs {
  const db = { virtualMachineId: 42, recoveryPointId: 1007, timeouts: planTimeouts, checks };
  const files = { virtualMachineId: 43, recoveryPointId: 1008, timeouts: planTimeouts, paths: ["/srv"] };
  const waves = [
    { name: "data", restores: { db } },
    { name: "front", restores: { files } },
  ];
  return { run: "first", waves };
}

/** A stack with one plan, `shop`. A test declares the plan as data, and declares it again to change it. */
export function planned(
  scene: Pick<Scene, "stack">,
  plan: RecoveryPlanArgs,
  options: StackOptions = {},
): Promise<TestStack> {
  return scene.stack(fixture("plans"), { ...options, config: { ...quick, ...options.config, ...declarePlan(plan) } });
}

export function declarePlan(plan: RecoveryPlanArgs): StackConfig {
  return { "e2e:plan": JSON.stringify(plan) };
}

/** The verdict in a report on the state, whatever verdict is stored. */
export async function reported(stack: TestStack): Promise<Report["verdict"]> {
  return report(await stack.exportState(), { subject: "shop" }).verdict;
}

export const urnsOf = async (stack: TestStack, names: RegExp): Promise<string[]> =>
  (await stack.resources()).flatMap(({ urn }) => (names.test(urn) ? [urn] : []));
