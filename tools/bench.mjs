#!/usr/bin/env node
/**
 * Sets up and measures: every case, with the results written to bench/results.md, or the cases that are named.
 *
 *   node tools/bench.mjs                every case
 *   node tools/bench.mjs requests lag   these two, printed only
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./setup/places.mjs";
import { orSayWhy, setUp } from "./setup/set-up.mjs";

await orSayWhy(async () => {
  const env = { ...process.env, PULUMI_RECOVERY_CLI: await setUp() };
  const child = spawn(
    process.execPath,
    ["-r", "ts-node/register/transpile-only", join(root, "bench", "run.ts"), ...process.argv.slice(2)],
    { cwd: root, env, stdio: "inherit" },
  );
  process.exitCode = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve(code ?? 1);
    });
  });
});
