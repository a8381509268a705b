import { providerText } from "../../provider/resources/provider-text";
import { startSandbox } from "../../sandbox";
import { connectionTo } from "../../tools/engine/workspace";
import { machineIds } from "../engine/programs";
import { ProviderProcess } from "../engine/provider-process";
import type { Case } from "../report";
import { interleaved, median } from "../statistics";

const restores = 1_000;
const pairs = 3;
const mostExtraMiB = 40;
const waitMs = 30_000;
const waitsForever =
  "exports.handler = () => ({ create: (inputs) => new Promise(() => setTimeout(() => undefined, 3600000)) });";

export const memory: Case = {
  name: "memory",
  async run() {
    const measured = await interleaved(pairs, ours, noOp);
    const extra = median(measured.ours) - median(measured.other);
    return {
      title: `Memory of a provider process waiting for ${restores.toLocaleString("en-US")} restores`,
      about:
        `Resident memory ${String(waitMs / 1_000)} s after the last restore was asked for, beside a dynamic provider with as many ` +
        `creates that do nothing and do not return. ${String(pairs)} pairs of new processes, interleaved.`,
      columns: ["", "median"],
      rows: [
        ["pulumi-recovery", `${median(measured.ours).toFixed(0)} MiB`],
        ["no-op dynamic provider", `${median(measured.other).toFixed(0)} MiB`],
      ],
      bars: [
        {
          claim: `at most ${String(mostExtraMiB)} MiB more than the no-op`,
          measured: `${extra.toFixed(0)} MiB`,
          met: extra <= mostExtraMiB,
        },
      ],
    };
  },
};

function urnOf(type: string, machine: number): string {
  return `urn:pulumi:dev::drill::pulumi-nodejs:dynamic/recovery:${type}::web-${String(machine)}`;
}

async function ours(): Promise<number> {
  const machines = machineIds(restores);
  const panel = await startSandbox({
    slots: restores,
    scenario: {
      machines: machines.map((id) => ({ id, recoveryPoints: [1007], restoreSeconds: 3_600 })),
      transactions: [],
    },
  });
  const config = Object.fromEntries(
    Object.entries(connectionTo(panel)).map(([key, value]) => [key, typeof value === "string" ? value : value.secret]),
  );
  const running = await ProviderProcess.start(config);
  try {
    const started = machines.map(async (machine) => {
      const target = { virtualMachineId: String(machine), recoveryPointId: "1007" };
      const made = await running.create(urnOf("RestoreIntent", machine), {
        __provider: providerText("restoreIntent"),
        kind: "VmRestore",
        ...target,
      });
      const { intentId, process, madeAt, mark } = made;
      const urn = urnOf("RestoreIntent", machine);
      const intent = { id: intentId, urn, process, madeAt, mark, madeFor: { kind: "VmRestore", ...target } } as object;
      const ended = running.create(urnOf("VmRestore", machine), {
        __provider: providerText("vmRestore"),
        ...target,
        intent,
      });
      ended.catch(() => undefined);
    });
    await Promise.all(started);
    await afterAWhile();
    if (panel.acceptedPosts() !== restores) throw new Error(`${String(panel.acceptedPosts())} restores were posted`);
    return running.residentBytes() / 2 ** 20;
  } finally {
    await running.stop();
    await panel.stop();
  }
}

async function noOp(): Promise<number> {
  const running = await ProviderProcess.start();
  try {
    for (const machine of machineIds(restores)) {
      const target = { virtualMachineId: String(machine), recoveryPointId: "1007" };
      running.create(urnOf("NoOp", machine), { __provider: waitsForever, ...target }).catch(() => undefined);
    }
    await afterAWhile();
    return running.residentBytes() / 2 ** 20;
  } finally {
    await running.stop();
  }
}

function afterAWhile(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}
