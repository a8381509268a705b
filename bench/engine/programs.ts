import { CustomResource, type Inputs } from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { RecoveryPlan, VmRestore } from "pulumi-recovery";
import type { OwnWaits } from "./own-waits";

export const machineIds = (count: number): number[] => Array.from({ length: count }, (_, index) => 10_001 + index);

/** The restores finish immediately and have no further parts, so they need no time to settle. */
const timeouts = { settle: 0 };

/** One restore for each machine. */
export function restoresOf(machines: readonly number[]): PulumiFn {
  return () => {
    for (const machine of machines) {
      new VmRestore(`restore-${String(machine)}`, { virtualMachineId: machine, recoveryPointId: 1007, timeouts });
    }
    return Promise.resolve();
  };
}

const perWave = 2_500;

/** The same restores as a plan, each with a check. A wave can have at most 3,000 restores. */
export function planWithChecks(machines: readonly number[], port: number): PulumiFn {
  return () => {
    const check = { tcp: `127.0.0.1:${String(port)}` };
    const restoreOf = (machine: number) => ({
      virtualMachineId: machine,
      recoveryPointId: 1007,
      timeouts,
      checks: [check],
    });
    const waves = Array.from({ length: Math.ceil(machines.length / perWave) }, (_, index) => ({
      name: `wave-${String(index + 1)}`,
      restores: Object.fromEntries(
        machines
          .slice(index * perWave, (index + 1) * perWave)
          .map((machine) => [`restore-${String(machine)}`, restoreOf(machine)]),
      ),
    }));
    // The look-up is measured in a separate case.
    new RecoveryPlan("plan", { run: "first", waves, lookUp: false });
    return Promise.resolve();
  };
}

/** A dynamic provider that does nothing, or waits if its inputs say so. It shows what the engine and the provider process cost by themselves. */
const noOpProvider =
  "exports.handler = () => ({ create: async (inputs) => { " +
  "if (inputs.waitMs) await new Promise((resolve) => setTimeout(resolve, inputs.waitMs)); " +
  'return { id: "made", outs: inputs }; }, check: async (olds, news) => ({ inputs: news }) });';

class NoOp extends CustomResource {
  constructor(name: string, machine: number, after: Inputs = {}) {
    const target = { virtualMachineId: String(machine), recoveryPointId: "1007" };
    super("pulumi-nodejs:dynamic/bench:NoOp", name, { __provider: noOpProvider, ...target, ...after });
  }
}

/** A pair of resources per machine, like an intent and its restore: the second needs the first's id. `waits` sets how long creating each one takes. */
export function noOpPairsFor(machines: readonly number[], waits?: OwnWaits): PulumiFn {
  return () => {
    for (const machine of machines) {
      const first = new NoOp(`first-${String(machine)}`, machine, waits && { waitMs: waits.intentMs });
      const second = { first: first.id, ...(waits && { waitMs: waits.restoreMs }) };
      new NoOp(`second-${String(machine)}`, machine, second);
    }
    return Promise.resolve();
  };
}
