import type { RecoveryPlanArgs } from "pulumi-recovery";
import type { Sandbox, SandboxOptions, Scene } from "./scene";

export const config = { "recovery:requestTimeout": "10s" };
export const timeouts = { listed: "2s", busy: "20s", queue: "30s", run: "60s" };

/** Machines 101 to 112, four to a wave. */
export function twelve(changes: Partial<RecoveryPlanArgs> = {}): RecoveryPlanArgs {
  const wave = (name: string, first: number): RecoveryPlanArgs["waves"][number] => ({
    name,
    restores: Object.fromEntries(
      [0, 1, 2, 3].map((offset) => {
        const id = first + offset;
        return [`vm-${String(id)}`, { virtualMachineId: id, recoveryPointId: 1, timeouts }];
      }),
    ),
  });
  return { run: "first", waves: [wave("data", 101), wave("middle", 105), wave("front", 109)], ...changes };
}

export function withCheck(plan: RecoveryPlanArgs, wave: number, restore: string, check: object): RecoveryPlanArgs {
  const waves = structuredClone(plan.waves) as { restores: Record<string, object> }[];
  waves[wave]!.restores[restore] = { ...waves[wave]!.restores[restore], checks: [check] };
  return { ...plan, waves: waves as unknown as RecoveryPlanArgs["waves"] };
}

/** With the plan's machines, or the first ones of them. */
export async function panelOfTwelve(
  scene: Pick<Scene, "panel">,
  count = 12,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const panel = await scene.panel({ speed: 20, ...options });
  for (let id = 101; id < 101 + count; id++) panel.addMachine({ id, recoveryPoints: [1] });
  return panel;
}
