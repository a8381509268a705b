#!/usr/bin/env node
/**
 * Sets up and runs the benchmarks: all, or the named cases.
 *
 *   node tools/bench.mjs
 *   node tools/bench.mjs requests lag
 */
import { join } from "node:path";
import { runNode } from "./setup/run.mjs";
import { root } from "./setup/places.mjs";
import { reportingFailure, setUp } from "./setup/set-up.mjs";

await reportingFailure(async () => {
  const env = { ...process.env, PULUMI_RECOVERY_CLI: await setUp() };
  const script = join(root, "bench", "run.ts");
  process.exitCode = await runNode(["-r", "ts-node/register", script, ...process.argv.slice(2)], env);
});
