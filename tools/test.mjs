#!/usr/bin/env node
/**
 * Sets up and runs the tests, even on a fresh clone.
 *
 *   node tools/test.mjs                 unit and end-to-end tests
 *   node tools/test.mjs unit            without the Pulumi CLI
 *   node tools/test.mjs e2e             against the real engine
 *   node tools/test.mjs full            everything, including the long tests
 *
 * Further arguments go to mocha: `node tools/test.mjs e2e --grep killed`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { runNode } from "./setup/run.mjs";
import { root } from "./setup/places.mjs";
import { reportingFailure, setUp, setUpPackage } from "./setup/set-up.mjs";
import { testFiles } from "./test/order.mjs";

const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
const args = process.argv.slice(2);
const what = args[0] !== undefined && ["unit", "e2e", "full"].includes(args[0]) ? args.shift() : "all";

/** End-to-end tests mostly wait for a panel, a process or a limit, so more jobs than processors can run at once. */
const jobs = availableParallelism() * (what === "unit" ? 1 : 3);

await reportingFailure(async () => {
  const parts =
    what === "unit" || what === "e2e" ? /** @type {const} */ ([what]) : /** @type {const} */ (["unit", "e2e"]);
  const long = what === "full";
  const { env, notRun } = await environment(parts, long);
  for (const line of notRun) console.log(line);
  const folder = mkdtempSync(join(tmpdir(), "recovery-notes-"));
  const notes = join(folder, "notes");
  writeFileSync(notes, "");
  try {
    process.exitCode = await runNode([mocha, ...testFiles(...parts), "--parallel", "--jobs", String(jobs), ...args], {
      ...env,
      TEST_NOTES: notes,
      TEST_THOROUGH: long ? "yes" : "no",
    });
    // This runs only without a filter, because promises whose tests were left out would look untested.
    if (long && args.length === 0)
      await runNode(["-r", "ts-node/register/transpile-only", "docs/reliability/write.ts", notes], process.env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function environment(/** @type {readonly string[]} */ parts, /** @type {boolean} */ long) {
  if (parts.includes("e2e")) process.env.PULUMI_RECOVERY_CLI = await setUp();
  else await setUpPackage();
  const { getReady } = await import("./test/needs.mjs");
  const { found, notRun } = await getReady({ long, parts });
  return { env: { ...process.env, PULUMI_RECOVERY_FOUND: JSON.stringify(found) }, notRun };
}
