import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { delimiter, join } from "node:path";
import { repositoryRoot } from "../engine/cli";
import { command, say } from "./say";
import type { Demo } from "./demo";

/** Passes the panel on to a process that outlives the demo, and says how to look around. */
export async function leaveForLooking(demo: Demo): Promise<void> {
  const { panel, folder, project, env } = demo;
  await panel.stop();
  const log = join(folder, "panel.log");
  const pid = startDetached({ port: Number(new URL(panel.url).port), stateFile: demo.panelState }, log);

  say("panel and stack stay. In a shell:");
  for (const [name, value] of Object.entries(env)) {
    if (/^RECOVERY|HOME|BACKEND|PASSPHRASE|UPDATE|PATH$/.test(name)) command(`export ${name}=${shown(name, value)}`);
  }
  command(`cd ${project}`);
  say("what the stack knows:");
  command("pulumi stack");
  command("pulumi stack output --show-secrets");
  command("pulumi stack export");
  say(`what the panel knows (its requests go to ${log}):`);
  command(`curl -u ${panel.username}:${panel.password} '${panel.url}/transactions.json?detailed'`);
  command(`curl -u ${panel.username}:${panel.password} ${panel.url}/virtual_machines/42/logs.json`);
  say(`stop the panel (process ${String(pid)}) and remove everything:`);
  command(`kill ${String(pid)}; rm -rf ${folder}`);
}

/** A PATH is cut to its first folder, which the demo added. */
function shown(name: string, value: string): string {
  return name === "PATH" ? `${value.split(delimiter)[0] ?? ""}${delimiter}$PATH` : value;
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
