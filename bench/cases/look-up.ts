import { lookUp } from "../../drills/engine/look-up";
import { createPanelClient } from "../../provider/panel/client";
import { Secret } from "../../provider/panel/secrets";
import { startSandbox } from "../../sandbox";
import { machineIds } from "../engine/programs";
import { instantPanel, timed } from "../engine/timed-up";
import { type Case, count, seconds } from "../report";
import { median } from "../statistics";

const sizes = [
  { size: 100, mostMs: 1_000 },
  { size: 1_000, mostMs: 5_000 },
] as const;
const rounds = 3;
const atOnce = 10;

export const lookingUp: Case = {
  name: "look-up",
  async run() {
    const measured: { size: number; mostMs: number; own: number; panel: number; requests: number }[] = [];
    for (const { size, mostMs } of sizes) {
      const each: Awaited<ReturnType<typeof measure>>[] = [];
      for (let round = 0; round < rounds; round++) each.push(await measure(machineIds(size)));
      const of = (name: "ownMs" | "panelMs" | "requests"): number => median(each.map((one) => one[name]));
      measured.push({ size, mostMs, own: of("ownMs"), panel: of("panelMs"), requests: of("requests") });
    }
    return {
      title: "Looking up a plan before its first wave",
      about:
        "The sandbox runs in this process; each machine has one recovery point. The panel's own time is that of a plain loop that sends the same requests, " +
        `ten at a time. Medians of ${String(rounds)} rounds.`,
      columns: ["", "requests", "the look-up", "the panel's own time", "minus the panel"],
      rows: measured.map(({ size, own, panel, requests }) => [
        `a plan of ${count(size)}`,
        count(requests),
        seconds(own),
        seconds(panel),
        seconds(own - panel),
      ]),
      bars: measured.map(({ size, mostMs, own, panel }) => ({
        claim: `looking up a plan of ${count(size)} takes at most ${seconds(mostMs)} more than the panel's own time`,
        measured: seconds(own - panel),
        met: own - panel <= mostMs,
      })),
    };
  },
};

async function measure(machines: readonly number[]) {
  const panel = await startSandbox(instantPanel(machines));
  const { url: endpoint, username } = panel;
  const password = new Secret(panel.password);
  const client = createPanelClient({ endpoint, username, password, format: "json", requestTimeoutMs: 30_000 });
  try {
    const planned = machines.map((machine) => ({ path: String(machine), machine: String(machine), point: "1007" }));
    const ownMs = await timed(async () => {
      const { problems, unknown } = await lookUp(planned, client, []);
      if (problems.length + unknown.length > 0) throw new Error("the panel has all machines and points");
    });
    const paths = panel.requests().map(({ path }) => path);
    const authorization = `Basic ${Buffer.from(`${username}:${panel.password}`).toString("base64")}`;
    const left = paths.values();
    const panelMs = await timed(() =>
      Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (const path of left) await (await fetch(endpoint + path, { headers: { authorization } })).text();
        }),
      ),
    );
    return { ownMs, panelMs, requests: paths.length };
  } finally {
    client.close();
    await panel.stop();
  }
}
