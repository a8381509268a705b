import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import { cliPath, repositoryRoot } from "../engine/cli";
import { engineEnvironment } from "../engine/environment";
import { projectFolder } from "../engine/workspace";
import { command, say } from "./say";
import type { Stage } from "./stage";

/** Hands the panel over to a process that goes on after the demo, and says how to look around. */
export async function leaveForLooking(stage: Stage): Promise<void> {
  const { panel, place } = stage;
  await panel.stop();
  const log = join(place.folder, "panel.log");
  const pid = startDetached({ port: Number(new URL(panel.url).port), stateFile: stage.panelState }, log);

  say("panel and stack stay. In a shell:");
  for (const [name, value] of Object.entries(engineEnvironment(place.folder))) {
    if (/HOME|BACKEND|PASSPHRASE|UPDATE/.test(name)) command(`export ${name}=${value}`);
  }
  command(`alias pulumi=${cliPath()}`);
  command(`cd ${projectFolder(place)} && pulumi stack select ${place.stack}`);
  say("what the stack knows:");
  command("pulumi stack");
  command("pulumi stack output --show-secrets");
  command("pulumi stack export");
  say(`what the panel knows (its requests go to ${log}):`);
  command(`curl -u ${panel.username}:${panel.password} '${panel.url}/transactions.json?detailed'`);
  command(`curl -u ${panel.username}:${panel.password} ${panel.url}/virtual_machines/42/logs.json`);
  say(`stop the panel (process ${String(pid)}) and remove everything:`);
  command(`kill ${String(pid)}; rm -rf ${place.folder}`);
}

const server = `
  const { startSandbox } = require("pulumi-recovery/sandbox");
  startSandbox({ ...JSON.parse(process.argv[1]), onRequest: (line) => console.log(line) });
`;

function startDetached(options: { readonly port: number; readonly stateFile: string }, log: string): number {
  const out = openSync(log, "a");
  const child = spawn(process.execPath, ["-e", server, JSON.stringify(options)], {
    cwd: repositoryRoot,
    detached: true,
    stdio: ["ignore", out, out],
  });
  child.unref();
  if (child.pid === undefined) throw new Error("the panel could not be started again");
  return child.pid;
}
