#!/usr/bin/env node
/**
 * Sets up and runs the demo, even on a fresh clone. `--keep` keeps the panel and the stack for looking around.
 */
import { join } from "node:path";
import { root } from "./setup/places.mjs";
import { runNode } from "./setup/run.mjs";
import { reportingFailure, setUp } from "./setup/set-up.mjs";

await reportingFailure(async () => {
  const env = { ...process.env, PULUMI_RECOVERY_CLI: await setUp() };
  const script = join(root, "tools", "demo", "main.ts");
  process.exitCode = await runNode(["-r", "ts-node/register", script, ...process.argv.slice(2)], env);
});
