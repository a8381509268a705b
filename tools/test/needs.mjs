import { find } from "../cli/find.mjs";
import { versions } from "../cli/version.mjs";

/** @typedef {import("../cli/kept.mjs").Found} Found */

/** What tests need besides the Pulumi CLI, and which tests need it. */
export const needs = {
  browser: "pages in a browser",
  promtool: "metrics and alert rules by Prometheus' own tool",
  "yaml-host": "programs in YAML",
  "oldest-cli": "the oldest Pulumi CLI",
  "sdk-generator": "packages for other languages",
  python: "programs in Python",
  ...Object.fromEntries(versions.tested.map(({ node }) => [`node-${node}`, `Node.js ${node}`])),
};

/** What a quick run uses if it already exists. */
const quick = ["browser", "yaml-host"];

/** What unit tests need; everything else is for end-to-end tests. */
const ofUnitTests = ["browser", "promtool"];

/**
 * Before the first test, gets everything that a run needs, so that no test's time limit includes this. A quick run downloads and builds nothing; it only
 * looks for what is already there.
 *
 * @param {{ long: boolean, parts: readonly string[] }} run
 * @returns {Promise<{ found: Record<string, Found>, notRun: string[] }>} what was found, for the environment, and lines to print
 */
export async function getReady({ long, parts }) {
  /** @type {Record<string, Found>} */
  const found = {};
  const notRun = [];
  for (const [name, tests] of Object.entries(needs)) {
    if ((!long && !quick.includes(name)) || !parts.includes(ofUnitTests.includes(name) ? "unit" : "e2e")) continue;
    const one = await find(name, { get: long });
    found[name] = one;
    if ("why" in one) notRun.push(`not run: tests of ${tests}: ${one.why}${long ? "" : "; npm run test:full gets it"}`);
  }
  return { found, notRun };
}
