import { download } from "./download.mjs";
import { goBuild } from "./go-build.mjs";
import { keptCli, keptFolder } from "./kept.mjs";
import { onPath } from "./on-path.mjs";
import { oldestUsable } from "./version.mjs";
import { withLock } from "../setup/lock.mjs";

/**
 * One way to a Pulumi CLI. It gives the path of a binary that runs, or says why it cannot.
 *
 * @typedef {object} Way
 * @property {string} name
 * @property {() => Promise<{ cli: string } | { why: string }>} look
 */

/** @type {Way} */
const kept = {
  name: `kept in ${keptFolder()}`,
  look: () => Promise.resolve(ready(keptCli())),
};

/** @param {string | undefined} cli */
function ready(cli) {
  return cli === undefined ? { why: "none" } : { cli };
}

/** Looks for the Pulumi CLI, cheapest way first, and obtains it where there is none. */
export async function findCli() {
  const there = await firstOf([onPath, kept]);
  if ("cli" in there) return there.cli;
  const obtained = await withLock(`${keptFolder()}.lock`, () => firstOf([kept, download, goBuild]));
  if ("cli" in obtained) return obtained.cli;
  throw new Error(missing([...there.tried, ...obtained.tried.slice(1)]));
}

/**
 * @param {readonly Way[]} ways
 * @returns {Promise<{ cli: string } | { tried: string[] }>}
 */
export async function firstOf(ways) {
  const tried = [];
  for (const way of ways) {
    const outcome = await way.look();
    if ("cli" in outcome) return outcome;
    tried.push(`${way.name}: ${outcome.why}`);
  }
  return { tried };
}

/** @param {readonly string[]} tried */
export function missing(tried) {
  return [
    "there is no Pulumi CLI that can be used, and no way to get one. Tried:",
    ...tried.map((line) => `  - ${line}`),
    "Install one of these two and run the same command again:",
    `  - the Pulumi CLI, ${oldestUsable()} or newer: https://www.pulumi.com/docs/install/`,
    "  - Go, 1.25 or newer: https://go.dev/dl/ (the CLI is then built once, in a few minutes)",
  ].join("\n");
}
