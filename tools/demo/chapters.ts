import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { repositoryRoot } from "../engine/cli";
import { command, say } from "./say";
import type { Demo } from "./demo";

const up = ["up", "--yes", "--skip-preview"] as const;

/** Runs `check`, which needs no engine, against the panel. */
export async function checkPanel({ env, pulumi }: Demo): Promise<void> {
  say("Before a first restore a panel is looked at. This only reads:");
  command("$ npx pulumi-recovery check --machine 42");
  const script = join(repositoryRoot, "dist", "cli", "main.js");
  const check = spawn(process.execPath, [script, "check", "--machine", "42"], {
    // The environment holds its settings, so it needs no Pulumi CLI.
    env: { ...env, PATH: "" },
    stdio: ["ignore", "inherit", "ignore"],
  });
  await new Promise((resolve) => check.once("close", resolve));
  await pulumi("stack", "init", "demo");
}

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
  await pulumi("config", "set", "run", "second");
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
  await pulumi("config", "set", "run", "third");
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

/** Keeps the panel and the stack until Ctrl-C, and says how to look around. */
export async function waitForLooking({ panel, project, env, interrupted }: Demo): Promise<void> {
  say("panel and stack stay until Ctrl-C. In another shell:");
  for (const [name, value] of Object.entries(env)) {
    // Of a PATH the first folder, which the demo added.
    const shown = name === "PATH" ? `${value.split(delimiter)[0] ?? ""}${delimiter}$PATH` : value;
    if (/^RECOVERY|HOME|BACKEND|PASSPHRASE|UPDATE|PATH$/.test(name)) command(`export ${name}=${shown}`);
  }
  command(`cd ${project}`);
  say("what the stack knows:");
  for (const line of ["pulumi stack", "pulumi stack output --show-secrets", "pulumi stack export"]) command(line);
  say(`what the panel knows, also on its page ${panel.controlUrl ?? ""}:`);
  command(`curl -u ${panel.username}:${panel.password} '${panel.url}/transactions.json?detailed'`);
  command(`curl -u ${panel.username}:${panel.password} ${panel.url}/virtual_machines/42/logs.json`);
  while (!interrupted()) await pause(200);
}
