import type { PulumiFn } from "@pulumi/pulumi/automation";
import { Scene, type Sandbox, type SandboxOptions } from "../../test/e2e/support/scene";

interface TimedUpOptions {
  /** The panel's duration of a restore; all run at the same time. */
  readonly restoreSeconds?: number;
  /** Resources at a time. `default`: the engine's own choice. */
  readonly parallel?: number | "default";
  /** Called with the panel after the end. */
  readonly afterwards?: (panel: Sandbox) => void;
}

/** The duration of `pulumi up` and its parts. */
export interface TimedUp {
  readonly tookMs: number;
  /** Until the panel got the first request. */
  readonly beforeMs: number;
  /** From there to the last request. */
  readonly requestingMs: number;
  /** From the last end on the panel until `pulumi up` was over. */
  readonly afterMs: number;
}

/** Options of a panel that carries out all restores at the same time. */
export function panelFor(machines: readonly number[], restoreSeconds: number): SandboxOptions {
  return {
    speed: restoreSeconds === 0 ? 1_000 : 1,
    slots: machines.length,
    scenario: {
      machines: machines.map((id) => ({ id, recoveryPoints: [1007], restoreSeconds })),
      transactions: [],
    },
  };
}

/** Measures `pulumi up` on a new stack, against a panel whose restores end at once or after some time. */
export async function timedUp(
  program: PulumiFn,
  machines: readonly number[],
  options: TimedUpOptions = {},
): Promise<number> {
  return (await measuredUp(program, machines, options)).tookMs;
}

export async function measuredUp(
  program: PulumiFn,
  machines: readonly number[],
  { restoreSeconds = 0, parallel = 100, afterwards: over = () => undefined }: TimedUpOptions = {},
): Promise<TimedUp> {
  const scene = await Scene.open();
  try {
    const panel = await scene.panel(panelFor(machines, restoreSeconds));
    const stack = await scene.stack(program, { keptBy: "passphrase" });
    const began = Date.now();
    const startedAt = performance.now();
    await stack.upWithoutEvents(parallel === "default" ? {} : { parallel });
    const tookMs = performance.now() - startedAt;
    over(panel);
    const restores = panel.restores();
    const first = Math.min(...restores.map(({ requestedAt }) => requestedAt));
    const last = Math.max(...restores.map(({ requestedAt }) => requestedAt));
    const end = Math.max(...restores.map(({ endedAt }) => endedAt ?? Number.NaN));
    return { tookMs, beforeMs: first - began, requestingMs: last - first, afterMs: began + tookMs - end };
  } finally {
    await scene.close();
  }
}
