import type { PulumiFn } from "@pulumi/pulumi/automation";
import { Scene } from "../../test/e2e/support/scene";

export interface TimedUpOptions {
  /** How long the panel takes for a restore; all run at the same time. */
  readonly restoreSeconds?: number;
  /** Resources at a time. `default`: what the engine chooses for this machine. */
  readonly parallel?: number | "default";
}

/** How long `pulumi up` takes on a new stack, against a panel whose restores end at once, or after some time. */
export async function timedUp(
  program: PulumiFn,
  machines: readonly number[],
  { restoreSeconds = 0, parallel = 100 }: TimedUpOptions = {},
): Promise<number> {
  const scene = await Scene.open();
  try {
    await scene.panel({
      speed: restoreSeconds === 0 ? 1_000 : 1,
      slots: machines.length,
      scenario: {
        machines: machines.map((id) => ({ id, recoveryPoints: [1007], restoreSeconds })),
        transactions: [],
      },
    });
    const stack = await scene.stack(program);
    const startedAt = performance.now();
    await stack.up(parallel === "default" ? {} : { parallel });
    return performance.now() - startedAt;
  } finally {
    await scene.close();
  }
}
