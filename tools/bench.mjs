#!/usr/bin/env node
/**
 * Sets up and runs the benchmarks one after another: all of `bench/`, or the ones named.
 *
 *   node tools/bench.mjs            every one
 *   node tools/bench.mjs decode     bench/decode.ts
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup/places.mjs";
import { orSayWhy, setUp } from "./setup/set-up.mjs";

await orSayWhy(async () => {
  const all = readdirSync(join(root, "bench"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length));
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : all;
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(", ")}; there are ${all.join(", ")}`);

  const env = { ...process.env, PULUMI_RECOVERY_CLI: await setUp() };
  for (const name of wanted) {
    console.log(`\n── ${name} ──`);
    const child = spawn(process.execPath, ["-r", "ts-node/register", join(root, "bench", `${name}.ts`)], {
      cwd: root,
      env,
      stdio: "inherit",
    });
    const code = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    if (code !== 0) process.exitCode = 1;
  }
});
