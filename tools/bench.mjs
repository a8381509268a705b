#!/usr/bin/env node
/**
 * Sets up and runs the benchmarks: all of them, or the cases named.
 *
 *   node tools/bench.mjs
 *   node tools/bench.mjs requests lag
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./setup/places.mjs";
import { orSayWhy, setUp } from "./setup/set-up.mjs";

await orSayWhy(async () => {
  const env = { ...process.env, PULUMI_RECOVERY_CLI: await setUp() };
  const args = ["-r", "ts-node/register", join(root, "bench", "run.ts"), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  process.exitCode = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve(code ?? 1);
    });
  });
});
