import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { cacheFolder, root } from "../setup/places.mjs";

/** @typedef {Readonly<Record<string, number>>} Times milliseconds by the path of a file */

/**
 * The files of one part of the tests. Those that took longest in the last run begin first, so that no core is idle while the last file ends.
 *
 * @param {"unit" | "e2e"} part
 * @param {Times} times
 */
export function testFiles(part, times) {
  const isEndToEnd = (/** @type {string} */ path) => path.startsWith("test/e2e/");
  return (
    readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
      .map((path) => join("test", path).split(sep).join("/"))
      .filter((path) => path.endsWith(".test.ts") && isEndToEnd(path) === (part === "e2e"))
      // A file that was never timed: about a millisecond per byte.
      .map((path) => ({ path, ms: times[path] ?? statSync(join(root, path)).size }))
      .sort((a, b) => b.ms - a.ms || (a.path < b.path ? -1 : 1))
      .map(({ path }) => path)
  );
}

/**
 * The times that the last complete run left in the cache; none before the first run.
 *
 * @param {boolean} long a full run takes longer in the same files
 * @returns {Times}
 */
export function keptTimes(long, env = process.env) {
  try {
    return JSON.parse(readFileSync(timesFile(long, env), "utf8"));
  } catch {
    return {};
  }
}

/**
 * @param {boolean} long
 * @param {Times} times of the files that ran; others keep theirs
 */
export function keepTimes(long, times, env = process.env) {
  mkdirSync(cacheFolder(env), { recursive: true });
  writeFileSync(timesFile(long, env), JSON.stringify({ ...keptTimes(long, env), ...times }));
}

/**
 * @param {boolean} long
 * @param {NodeJS.ProcessEnv} env
 */
function timesFile(long, env) {
  return join(cacheFolder(env), `test-times-${long ? "full" : "quick"}.json`);
}
