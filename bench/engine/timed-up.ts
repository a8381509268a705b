import type { PulumiFn } from "@pulumi/pulumi/automation";
import { Scene } from "../../test/e2e/support/scene";

/** How long `pulumi up` takes on a new stack, against a panel whose restores end at once. */
export async function timedUp(program: PulumiFn, machines: readonly number[]): Promise<number> {
  const scene = await Scene.open();
  try {
    await scene.panel({
      speed: 1_000,
      slots: machines.length,
      scenario: {
        machines: machines.map((id) => ({ id, recoveryPoints: [1007], restoreSeconds: 0 })),
        transactions: [],
      },
    });
    const stack = await scene.stack(program);
    const startedAt = performance.now();
    await stack.up({ parallel: 100 });
    return performance.now() - startedAt;
  } finally {
    await scene.close();
  }
}
