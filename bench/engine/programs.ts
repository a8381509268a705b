import { CustomResource, type Inputs } from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { RecoveryPlan, VmRestore } from "pulumi-recovery";
import type { OwnWaits } from "./direct-restores";

export const machineIds = (count: number): number[] => Array.from({ length: count }, (_, index) => 10_001 + index);

/** One restore for each machine. */
export function restoresOf(machines: readonly number[]): PulumiFn {
  return () => {
    for (const machine of machines) {
      new VmRestore(`restore-${String(machine)}`, { virtualMachineId: machine, recoveryPointId: 1007 });
    }
    return Promise.resolve();
  };
}

/** The same restores by rule: each chooses from its machine's recovery points. */
export function restoresByRule(machines: readonly number[]): PulumiFn {
  return () => {
    for (const machine of machines) {
      new VmRestore(`restore-${String(machine)}`, { virtualMachineId: machine, recoveryPoint: "newest" });
    }
    return Promise.resolve();
  };
}

/** The same restores as one plan with a single wave. */
export function planOf(machines: readonly number[]): PulumiFn {
  return () => {
    const restores = Object.fromEntries(
      machines.map((machine) => [`restore-${String(machine)}`, { virtualMachineId: machine, recoveryPointId: 1007 }]),
    );
    new RecoveryPlan("plan", { run: "first", waves: [{ name: "all", restores }] });
    return Promise.resolve();
  };
}

/** The same with a check each. */
export function planWithChecks(machines: readonly number[], port: number): PulumiFn {
  return () => {
    const restores = Object.fromEntries(
      machines.map((machine) => [
        `restore-${String(machine)}`,
        { virtualMachineId: machine, recoveryPointId: 1007, checks: [{ tcp: `127.0.0.1:${String(port)}` }] },
      ]),
    );
    new RecoveryPlan("plan", { run: "first", waves: [{ name: "all", restores }] });
    return Promise.resolve();
  };
}

/** A dynamic provider that only waits, where it is told to: it shows the cost of engine and provider process alone. */
export const noOpProvider =
  "exports.handler = () => ({ create: async (inputs) => { " +
  "if (inputs.waitMs) await new Promise((resolve) => setTimeout(resolve, inputs.waitMs)); " +
  'return { id: "made", outs: inputs }; }, check: async (olds, news) => ({ inputs: news }) });';

class NoOp extends CustomResource {
  constructor(name: string, machine: number, after: Inputs = {}) {
    const target = { virtualMachineId: String(machine), recoveryPointId: "1007" };
    super("pulumi-nodejs:dynamic/bench:NoOp", name, { __provider: noOpProvider, ...target, ...after });
  }
}

/** The same number of resources whose create returns at once. */
export function noOpsFor(machines: readonly number[]): PulumiFn {
  return () => {
    for (const machine of machines) new NoOp(`no-op-${String(machine)}`, machine);
    return Promise.resolve();
  };
}

/** The same number of pairs, like restores and their intents: the second of a pair needs the id of the first. With `waits` their creates take as long. */
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
