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
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { runNode } from "./setup/run.mjs";
import { root } from "./setup/places.mjs";
import { reportingFailure, setUp, setUpPackage } from "./setup/set-up.mjs";
import { testFiles } from "./test/order.mjs";

const cores = availableParallelism();

/** End-to-end tests mostly wait: for their panel, for one of several processes to start, for a limit to pass. */
const jobs = { unit: cores, e2e: cores * 3 };
/** While end-to-end tests wait, unit tests use the processor. */
const priorities = { unit: 10, e2e: 0 };

const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
const args = process.argv.slice(2);
const what = args[0] !== undefined && ["unit", "e2e", "full"].includes(args[0]) ? args.shift() : "all";

await reportingFailure(async () => {
  const names =
    what === "unit" || what === "e2e" ? /** @type {const} */ ([what]) : /** @type {const} */ (["unit", "e2e"]);
  const long = what === "full";
  const { env, notRun } = await environment(names, long);
  const folder = mkdtempSync(join(tmpdir(), "recovery-totals-"));
  const [file, notes] = /** @type {const} */ ([join(folder, "totals"), join(folder, "notes")]);
  for (const path of [file, notes]) writeFileSync(path, "");
  try {
    const testEnv = { ...env, TEST_TOTALS: file, TEST_NOTES: notes, TEST_THOROUGH: long ? "yes" : "no" };
    /** @type {Promise<number>[]} */
    const runs = [];
    for (const name of names) {
      const [before] = runs;
      const mochaArgs = [mocha, ...testFiles(name), "--parallel", "--jobs", String(jobs[name]), ...args];
      runs.push(runNode(mochaArgs, testEnv, { before, priority: priorities[name] }));
      // The long tests need all cores for themselves.
      if (long) await runs.at(-1);
    }
    if ((await Promise.all(runs)).some((code) => code !== 0)) process.exitCode = 1;
    const totals = addUp(readFileSync(file, "utf8"), names.length);
    if (totals.failed > 0) process.exitCode = 1;
    // Only without a filter, because promises whose tests were left out would look untested.
    if (long && args.length === 0) {
      await runNode(["-r", "ts-node/register/transpile-only", "docs/reliability/write.ts", notes], process.env);
    }
    for (const line of notRun) console.log(line);
    const { passed, failed, skipped } = totals;
    console.log(
      `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ""}`,
    );
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

/** Adds up the reports of several runs, each a JSON object. A run without a report counts as one failure. */
function addUp(/** @type {string} */ lines, /** @type {number} */ runs) {
  /** @type {{ passed: number, failed: number, skipped: number }[]} */
  const reports = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const sum = { passed: 0, failed: Math.max(0, runs - reports.length), skipped: 0 };
  for (const { passed, failed, skipped } of reports) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}
