#!/usr/bin/env node
/**
 * Sets up, even on a fresh clone, and runs one of this repository's scripts with its arguments: the demo or the benchmarks.
 *
 *   node tools/start.mjs tools/demo/demo.ts --keep
 *   node tools/start.mjs bench/run.ts requests lag
 */
import { runNode } from "./setup/run.mjs";
import { reportingFailure, setUp } from "./setup/set-up.mjs";

await reportingFailure(async () => {
  const env = { ...process.env, PULUMI_RECOVERY_CLI: await setUp() };
  process.exitCode = await runNode(["-r", "ts-node/register", ...process.argv.slice(2)], env);
});
