import { setTimeout as pause } from "node:timers/promises";
import { say } from "./say";
import type { Demo } from "./demo";

const up = ["up", "--yes", "--skip-preview"] as const;

/** Restores two machines at the same time, with progress on each row. */
export async function restore({ panel, pulumi }: Demo): Promise<void> {
  say("1. Two machines are restored from their backups. The row of each says how far it is.");
  panel.failNext(42, { outcome: "complete", seconds: 5 });
  panel.failNext(43, { outcome: "complete", seconds: 4 });
  await pulumi(...up);
}

/** Kills a run. The next run takes over its restores. */
export async function killAndPickUp(demo: Demo): Promise<void> {
  const { panel, pulumi } = demo;
  say("2. A second drill, and its run is killed in the middle, as when a pipeline's machine goes away.");
  const before = panel.acceptedPosts();
  for (const machine of [42, 43]) panel.failNext(machine, { outcome: "complete", seconds: 7 });
  await pulumi("config", "set", "drill", "second");
  const run = pulumi(...up);
  await untilBothRun(demo, before);
  demo.kill();
  await run;
  const restores = panel.restores().slice(before);
  say(
    `killed with kill -9. The panel goes on: ${restores.map(({ transactionId, status }) => `${transactionId} ${status}`).join(", ")}.`,
  );
  await pulumi("cancel", "--yes");
  await pulumi(...up);
  await pulumi("refresh", "--yes", "--non-interactive", "--clear-pending-creates", "--suppress-outputs");
  say(`both were adopted: ${String(panel.acceptedPosts() - before)} POSTs for two restores, none of them twice.`);
}

async function untilBothRun({ panel, interrupted }: Demo, before: number): Promise<void> {
  while (
    panel
      .restores()
      .slice(before)
      .filter(({ status }) => status === "running").length < 2
  ) {
    if (interrupted()) return;
    await pause(100);
  }
  await pause(1_500); // the rows show the restores by then
}

/** Lets one restore fail. The next run attempts this restore again, and no other. */
export async function failAndTryAgain({ panel, pulumi }: Demo): Promise<void> {
  say("3. A third drill, and one of the restores fails on the panel.");
  panel.failNext(42, { outcome: "complete", seconds: 0.3 });
  panel.failNext(43, { outcome: "failed", seconds: 0.3 });
  await pulumi("config", "set", "drill", "third");
  await pulumi(...up);
  const before = panel.acceptedPosts();
  say("the next run restores what failed, and nothing else:");
  panel.failNext(43, { outcome: "complete", seconds: 0.3 });
  await pulumi(...up);
  say(`${String(panel.acceptedPosts() - before)} more POST.`);
}

/** Shows the stack's outputs. */
export async function showOutputs({ panel, pulumi }: Demo): Promise<void> {
  say("4. What the stack keeps: how each machine's restore went, and how long it took by the panel's clock.");
  await pulumi("stack", "output", "machines", "--json");
  say(`three drills of two machines, one failure: the panel saw ${String(panel.acceptedPosts())} POSTs.`);
}
