import type { PulumiFn } from "@pulumi/pulumi/automation";
import { Scene, type SandboxOptions } from "../../test/e2e/support/scene";

/** Options for a panel that carries out all restores immediately. */
export function instantPanel(machines: readonly number[]): SandboxOptions {
  return {
    speed: 1_000,
    slots: machines.length,
    scenario: {
      machines: machines.map((id) => ({ id, recoveryPoints: [1007], restoreSeconds: 0 })),
      transactions: [],
    },
  };
}

/** Measures `pulumi up` on a new stack, against a panel whose restores finish immediately. */
export async function timedUp(program: PulumiFn, machines: readonly number[]): Promise<number> {
  const scene = await Scene.open();
  try {
    await scene.panel(instantPanel(machines));
    const stack = await scene.stack(program);
    return await timed(() => stack.upWithoutEvents({ parallel: 100 }));
  } finally {
    await scene.close();
  }
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
