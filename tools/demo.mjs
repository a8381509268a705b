#!/usr/bin/env node
/**
 * Sets up and runs the demo; works on a fresh clone. `--keep` leaves panel and stack for looking around.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./setup/places.mjs";
import { orSayWhy, setUp } from "./setup/set-up.mjs";

await orSayWhy(async () => {
  const env = { ...process.env, PULUMI_RECOVERY_CLI: await setUp() };
  const args = ["-r", "ts-node/register", join(root, "tools", "demo", "main.ts"), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  // A Ctrl-C reaches the demo too, which ends when the engine has.
  process.on("SIGINT", () => undefined);
  process.exitCode = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve(code ?? 1);
    });
  });
});
