import { availableParallelism } from "node:os";
import { dynamicBackend } from "../../provider/program/backend";
import { startSandbox, type Sandbox } from "../../sandbox";
import { connectionTo } from "../../tools/engine/workspace";
import { mean } from "../statistics";
import { atATime } from "./at-a-time";
import { ProviderProcess } from "./provider-process";
import { panelFor } from "./timed-up";

/** The engine's default `--parallel`. */
const enginesPlaces = 4 * availableParallelism();

/** How long the creates of a restore take by themselves: what the panel and the pauses between requests to it cost. */
export interface OwnWaits {
  readonly intentMs: number;
  readonly restoreMs: number;
}

/** Measures restores that end at once in a provider process without an engine, as many at a time as the engine's default. */
export async function ownWaits(machines: readonly number[]): Promise<OwnWaits> {
  const panel = await startSandbox(panelFor(machines, 0));
  const running = await providerProcessFor(panel);
  try {
    const measured: OwnWaits[] = [];
    await atATime(enginesPlaces, machines, async (machine) => {
      const begunAt = performance.now();
      const intent = await createIntent(running, machine);
      const intendedAt = performance.now();
      await createRestore(running, machine, intent);
      measured.push({ intentMs: intendedAt - begunAt, restoreMs: performance.now() - intendedAt });
    });
    return {
      intentMs: mean(measured.map(({ intentMs }) => intentMs)),
      restoreMs: mean(measured.map(({ restoreMs }) => restoreMs)),
    };
  } finally {
    await running.stop();
    await panel.stop();
  }
}

/** A provider process that is configured for a panel. */
export function providerProcessFor(panel: Sandbox): Promise<ProviderProcess> {
  const settings = Object.entries(connectionTo(panel));
  return ProviderProcess.start(
    Object.fromEntries(settings.map(([key, value]) => [key, typeof value === "string" ? value : value.secret])),
  );
}

/** Creates a restore's intent, and returns it as the restore's input. */
export async function createIntent(running: ProviderProcess, machine: number): Promise<object> {
  const urn = urnOf("RestoreIntent", machine);
  const target = targetOf(machine);
  const made = { ...dynamicBackend.extraProperties("RestoreIntent"), kind: "VmRestore", ...target };
  const { id, outputs } = await running.create(urn, made);
  return { id, urn, mark: outputs["mark"], madeFor: { kind: "VmRestore", ...target } };
}

export async function createRestore(running: ProviderProcess, machine: number, intent: object): Promise<void> {
  const inputs = { ...dynamicBackend.extraProperties("VmRestore"), ...targetOf(machine), intent };
  await running.create(urnOf("VmRestore", machine), inputs);
}

export function urnOf(type: string, machine: number): string {
  return `urn:pulumi:dev::drill::pulumi-nodejs:dynamic/recovery:${type}::web-${String(machine)}`;
}

export function targetOf(machine: number): { readonly virtualMachineId: string; readonly recoveryPointId: string } {
  return { virtualMachineId: String(machine), recoveryPointId: "1007" };
}
