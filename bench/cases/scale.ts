import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { Scene } from "../../test/e2e/support/scene";
import { repositoryRoot } from "../../tools/engine/cli";
import { forgetOuterSettings } from "../../tools/engine/environment";
import { plainLoop } from "../engine/plain-loop";
import { machineIds, planWithChecks } from "../engine/programs";
import { instantPanel, timed } from "../engine/timed-up";
import { type Bar, type Case, count, seconds } from "../report";
import { median } from "../statistics";

/** Time limits. They exclude the time of an empty program and, for `up`, of the panel. A no-op preview of 100 restores has no limit. */
const sizes = [
  { size: 100, rounds: 3, upMs: 3_000 },
  { size: 1_000, rounds: 3, upMs: 6_000, previewMs: 2_000 },
  { size: 10_000, rounds: 1, upMs: 60_000, previewMs: 10_000 },
] as const;
const mostStateBytes = 3_100;
/** The memory limit for a provider process, including the SDK. A pipeline's runner has at least 2 GiB. */
const mostMemoryMiB = 700;

/** Limits the heap, because Node.js keeps garbage longer if there is plenty of memory. */
const smallHeap = "--max-old-space-size=512";

/** The cost of one stack. */
interface Cost {
  readonly upMs: number;
  readonly previewMs: number;
  readonly stateBytes: number;
  /** The peak resident memory of a provider process. */
  readonly mostMiB: number;
}

export const scale: Case = {
  name: "scale",
  async run() {
    forgetOuterSettings();
    const listener = await listening();
    const bars: Bar[] = [];
    const rows: (readonly string[])[] = [];
    try {
      const empty = await costs(() => Promise.resolve(), [1], 3);
      for (const { size, rounds, ...limits } of sizes) {
        const machines = machineIds(size);
        const panelMs = await plainLoop(machines);
        const whole = await costs(planWithChecks(machines, listener.port), machines, rounds);
        const upMs = whole.upMs - empty.upMs - panelMs;
        const previewMs = whole.previewMs - empty.previewMs;
        const stateBytes = (whole.stateBytes - empty.stateBytes) / size;
        const name = `a plan of ${count(size)}`;
        rows.push([
          name,
          seconds(whole.upMs),
          seconds(panelMs),
          seconds(upMs),
          seconds(whole.previewMs),
          seconds(previewMs),
          `${count(stateBytes)} bytes`,
          `${count(whole.mostMiB)} MiB`,
        ]);
        bars.push(...barsOf(name, { ...whole, upMs, previewMs, stateBytes }, limits));
      }
      const most = machineIds(10_000);
      const small = await costOf(planWithChecks(most, listener.port), most, smallHeap);
      return {
        title: "Plans of 100, 1,000 and 10,000 restores, each with a check",
        about:
          "The real engine with a file backend and its default `--parallel`, a new stack each time; the restores finish immediately, `timeouts.settle` is 0, the " +
          "look-up is left out because it is measured separately, and each check opens a connection to a listener on this machine. The panel's own time is that of a plain loop that posts the same restores, eight at a time, " +
          `until the last has ended. An empty program takes ${seconds(empty.upMs)} for \`up\` and ${seconds(empty.previewMs)} for a preview. ` +
          "Medians of three rounds, but only one round for 10,000. The state per restore is that of the whole stack, as `pulumi stack export` prints it, divided by the number of restores; the memory is the peak " +
          "resident memory of the provider process, including the SDK, with the default heap. Node.js keeps garbage longer if there is plenty of memory. With " +
          `\`${smallHeap}\`, the peak is ${count(small.mostMiB)} MiB for 10,000, and \`up\` takes ${seconds(small.upMs)}.`,
        columns: [
          "",
          "`up`",
          "the panel's own time",
          "`up` minus an empty program and the panel",
          "no-op preview",
          "minus an empty program",
          "state per restore",
          "memory of the provider process",
        ],
        rows,
        bars,
      };
    } finally {
      listener.server.close();
    }
  },
};

/** Compares a plan's costs with their limits. The times exclude an empty program and the panel. */
function barsOf(
  name: string,
  { upMs, previewMs, stateBytes, mostMiB }: Cost,
  limits: { readonly upMs: number; readonly previewMs?: number },
): readonly Bar[] {
  return [
    within(`\`up\` of ${name}`, upMs, limits.upMs),
    ...(limits.previewMs === undefined ? [] : [within(`a no-op preview of ${name}`, previewMs, limits.previewMs)]),
    {
      claim: `state per restore in ${name}: at most ${count(mostStateBytes)} bytes`,
      measured: count(stateBytes),
      met: stateBytes <= mostStateBytes,
    },
    {
      claim: `the provider process of ${name} uses at most ${count(mostMemoryMiB)} MiB`,
      measured: `${count(mostMiB)} MiB`,
      met: mostMiB > 0 && mostMiB <= mostMemoryMiB,
    },
  ];
}

function within(what: string, ms: number, limitMs: number): Bar {
  return {
    claim: `${what}: at most ${seconds(limitMs)}, not counting an empty program and the panel`,
    measured: seconds(ms),
    met: ms <= limitMs,
  };
}

/** The medians of several rounds, each on a new stack and a new panel. */
async function costs(program: PulumiFn, machines: readonly number[], rounds: number): Promise<Cost> {
  const all: Cost[] = [];
  for (let round = 0; round < rounds; round++) all.push(await costOf(program, machines));
  const of = (name: keyof Cost): number => median(all.map((one) => one[name]));
  return { upMs: of("upMs"), previewMs: of("previewMs"), stateBytes: of("stateBytes"), mostMiB: of("mostMiB") };
}

async function costOf(program: PulumiFn, machines: readonly number[], nodeOptions = ""): Promise<Cost> {
  const scene = await Scene.open();
  const folder = mkdtempSync(join(tmpdir(), "recovery-bench-"));
  const memory = join(folder, "memory");
  try {
    await scene.panel(instantPanel(machines));
    const probe = join(repositoryRoot, "bench", "engine", "memory-probe.cjs");
    const stack = await scene.stack(program, {
      env: { NODE_OPTIONS: `--require ${probe} ${nodeOptions}`, RECOVERY_BENCH_MEMORY: memory },
    });
    const upMs = await timed(() => stack.upWithoutEvents());
    // An empty program has no provider process.
    const mostMiB = existsSync(memory) ? Number(readFileSync(memory, "utf8")) / 1_024 : 0;
    const previewMs = await timed(() => stack.preview({ expectNoChanges: true }));
    return { upMs, previewMs, stateBytes: JSON.stringify(await stack.exportState()).length, mostMiB };
  } finally {
    await scene.close();
    rmSync(folder, { recursive: true });
  }
}

async function listening(): Promise<{ readonly server: Server; readonly port: number }> {
  // A TCP check closes its connection as soon as it is established, which may cause a reset.
  const server = createServer((socket) => socket.on("error", () => undefined).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the listener has no port");
  return { server, port: address.port };
}
