import { createServer, type Server } from "node:net";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { Scene } from "../../test/e2e/support/scene";
import { forgetOuterSettings } from "../../tools/engine/environment";
import { ownWaits } from "../engine/direct-restores";
import { machineIds, noOpPairsFor, planWithChecks } from "../engine/programs";
import { panelFor } from "../engine/timed-up";
import { count, milliseconds, seconds, type Case } from "../report";
import { median } from "../statistics";

const sizes = [10, 100, 1_000] as const;
/** A thousand restores take minutes, and what they take is no matter of chance. */
const roundsOf = (size: number): number => (size >= 1_000 ? 1 : 3);
const barredSizes: readonly number[] = [100, 1_000];
const highest = { up: 1.4, preview: 2, stateBytes: 8_500 } as const;

/** What one stack costs. */
interface Cost {
  readonly upMs: number;
  readonly previewMs: number;
  readonly stateBytes: number;
}

export const scale: Case = {
  name: "scale",
  async run() {
    forgetOuterSettings();
    const listener = await listening();
    try {
      const empty = await costs(() => Promise.resolve(), [1], 3);
      const waits = await ownWaits(machineIds(100));
      const measured = [];
      for (const size of sizes) {
        const machines = machineIds(size);
        const rounds = roundsOf(size);
        const pairs = await costs(noOpPairsFor(machines), machines, rounds);
        const waitingPairs = await costs(noOpPairsFor(machines, waits), machines, rounds);
        const plan = await costs(planWithChecks(machines, listener.port), machines, rounds);
        measured.push({ size, pairs, waitingPairs, plan });
      }
      const compared = measured.map(({ size, pairs, waitingPairs, plan }) => ({
        size,
        up: (plan.upMs - empty.upMs) / (waitingPairs.upMs - empty.upMs),
        preview: (plan.previewMs - empty.previewMs) / (pairs.previewMs - empty.previewMs),
        stateBytes: (plan.stateBytes - empty.stateBytes) / size,
      }));
      return {
        title: "A plan of 10, 100 and 1,000 restores with a check each, beside as many pairs of no-op resources",
        about:
          "The real engine with a file backend and its default `--parallel`, a new stack each time; the restores end at once, and each check " +
          `opens a connection to a listener of this machine. What the panel and the pauses between requests to it cost by themselves was ` +
          `measured in a provider process without an engine, as many at a time: ${milliseconds(waits.intentMs)} for an intent and ` +
          `${milliseconds(waits.restoreMs)} for its restore. The second kind of pairs waits as long and does nothing else: beside it stands what ` +
          "an `up` costs beyond the panel's own time. Medians of three rounds, one round of 1,000. An empty program takes " +
          `${seconds(empty.upMs)} for \`up\` and ${seconds(empty.previewMs)} for a preview, which the ratios leave out on both sides. ` +
          "The state is that of the whole stack as `pulumi stack export` prints it, by restore, its intent, its wave and the plan included.",
        columns: ["", "`up`", "no-op preview", "state", "state of each"],
        rows: measured.flatMap(({ size, pairs, waitingPairs, plan }) => [
          row(`a plan of ${count(size)}`, plan, size),
          row(`${count(size)} pairs of no-op resources`, pairs, size),
          row(`${count(size)} pairs that wait as long as the plan's restores`, waitingPairs, size),
        ]),
        bars: compared
          .filter(({ size }) => barredSizes.includes(size))
          .flatMap(({ size, up, preview, stateBytes }) => [
            bar(
              `\`up\` of ${count(size)} at most ${String(highest.up)} times that of pairs that wait as long`,
              up,
              highest.up,
            ),
            bar(`a no-op preview of ${count(size)} at most twice theirs`, preview, highest.preview),
            {
              claim: `state of each of ${count(size)} restores at most ${count(highest.stateBytes)} bytes`,
              measured: count(stateBytes),
              met: stateBytes <= highest.stateBytes,
            },
          ]),
      };
    } finally {
      listener.server.close();
    }
  },
};

function bar(
  claim: string,
  ratio: number,
  limit: number,
): { readonly claim: string; readonly measured: string; readonly met: boolean } {
  return { claim, measured: ratio.toFixed(2), met: ratio <= limit };
}

function row(name: string, { upMs, previewMs, stateBytes }: Cost, size: number): readonly string[] {
  return [
    name,
    seconds(upMs),
    seconds(previewMs),
    `${count(stateBytes / 1_000)} kB`,
    `${count(stateBytes / size)} bytes`,
  ];
}

/** The medians of some rounds, each on a new stack and a new panel. */
async function costs(program: PulumiFn, machines: readonly number[], rounds: number): Promise<Cost> {
  const all: Cost[] = [];
  for (let round = 0; round < rounds; round++) all.push(await costOf(program, machines));
  const of = (name: keyof Cost): number => median(all.map((one) => one[name]));
  return { upMs: of("upMs"), previewMs: of("previewMs"), stateBytes: of("stateBytes") };
}

async function costOf(program: PulumiFn, machines: readonly number[]): Promise<Cost> {
  const scene = await Scene.open();
  try {
    await scene.panel(panelFor(machines, 0));
    const stack = await scene.stack(program, { keptBy: "passphrase" });
    const upMs = await timed(() => stack.upWithoutEvents());
    const previewMs = await timed(() => stack.preview({ expectNoChanges: true }));
    return { upMs, previewMs, stateBytes: JSON.stringify(await stack.exportState()).length };
  } finally {
    await scene.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function listening(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the listener has no port");
  return { server, port: address.port };
}
