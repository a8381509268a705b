import { startSandbox } from "../../sandbox";
import { createIntent, createRestore, providerProcessFor, targetOf, urnOf } from "../engine/direct-restores";
import { machineIds } from "../engine/programs";
import { ProviderProcess } from "../engine/provider-process";
import type { Case } from "../report";
import { interleaved, median } from "../statistics";

const restores = 1_000;
const pairs = 3;
const mostTimes = 2.5;
const waitMs = 30_000;
const waitsForever =
  "exports.handler = () => ({ create: (inputs) => new Promise(() => setTimeout(() => undefined, 3600000)) });";

interface Memory {
  readonly residentMiB: number;
  readonly liveMiB: number;
}

export const memory: Case = {
  name: "memory",
  async run() {
    const { waiting, idle } = await interleaved(pairs, { waiting: ours, idle: noOp });
    const ratio = medianOf(waiting, "liveMiB") / medianOf(idle, "liveMiB");
    return {
      title: `Memory of a provider process waiting for ${restores.toLocaleString("en-US")} restores`,
      about:
        `${String(waitMs / 1_000)} s after the last restore was asked for, beside a dynamic provider with as many creates that do ` +
        "nothing and do not return. In use: heap and buffers after a collection. Resident: what the system sees, garbage " +
        `that V8 has not collected yet included. Much of it is the SDK and the open calls themselves, which the no-op has too: the limit is ` +
        `a ratio. ${String(pairs)} pairs of new processes, interleaved.`,
      columns: ["", "in use", "resident"],
      rows: [row("pulumi-recovery", waiting), row("no-op dynamic provider", idle)],
      bars: [
        {
          claim: `at most ${String(mostTimes)} times the no-op's in use`,
          measured: ratio.toFixed(2),
          met: ratio <= mostTimes,
        },
      ],
    };
  },
};

function row(name: string, measured: readonly Memory[]): string[] {
  return [
    name,
    `${medianOf(measured, "liveMiB").toFixed(0)} MiB`,
    `${medianOf(measured, "residentMiB").toFixed(0)} MiB`,
  ];
}

function medianOf(measured: readonly Memory[], what: keyof Memory): number {
  return median(measured.map((one) => one[what]));
}

/** Reads the resident size first: reading the live bytes makes V8 collect. */
async function memoryOf(running: ProviderProcess): Promise<Memory> {
  const residentMiB = running.residentBytes() / 2 ** 20;
  return { residentMiB, liveMiB: (await running.liveBytes()) / 2 ** 20 };
}

async function ours(): Promise<Memory> {
  const machines = machineIds(restores);
  const panel = await startSandbox({
    slots: restores,
    scenario: {
      machines: machines.map((id) => ({ id, recoveryPoints: [1007], restoreSeconds: 3_600 })),
      transactions: [],
    },
  });
  const running = await providerProcessFor(panel);
  try {
    const started = machines.map(async (machine) => {
      const ended = createRestore(running, machine, await createIntent(running, machine));
      ended.catch(() => undefined);
    });
    await Promise.all(started);
    await afterAWhile();
    if (panel.acceptedPosts() !== restores) throw new Error(`${String(panel.acceptedPosts())} restores were posted`);
    return await memoryOf(running);
  } finally {
    await running.stop();
    await panel.stop();
  }
}

async function noOp(): Promise<Memory> {
  const running = await ProviderProcess.start();
  try {
    for (const machine of machineIds(restores)) {
      running.create(urnOf("NoOp", machine), { __provider: waitsForever, ...targetOf(machine) }).catch(() => undefined);
    }
    await afterAWhile();
    return await memoryOf(running);
  } finally {
    await running.stop();
  }
}

function afterAWhile(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}
