import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { root } from "../setup/places.mjs";

/**
 * The slowest files begin first, so that no core is idle while the last file ends. The others follow by name, and need not be listed.
 */
export const slowest = [
  "test/e2e/chaos/seeds-1-to-10.long.test.ts",
  "test/e2e/chaos/seeds-11-to-20.long.test.ts",
  "test/e2e/kill-matrix/plan.long.test.ts",
  "test/e2e/kill-matrix/yaml.long.test.ts",
  "test/e2e/kill-matrix/after-the-post-was-sent.long.test.ts",
  "test/e2e/kill-matrix/between-mark-and-post.long.test.ts",
  "test/e2e/kill-matrix.test.ts",
  "test/e2e/recovery-plan.test.ts",
  "test/e2e/recovery-point.test.ts",
  "test/e2e/recovery-plan-changed.test.ts",
  "test/e2e/two-of-one-machine.test.ts",
  "test/e2e/replaced-over-an-error.test.ts",
  "test/e2e/examples.test.ts",
  "test/e2e/recovery-plan-options.test.ts",
  "test/e2e/yaml.test.ts",
  "test/e2e/life.test.ts",
  "test/e2e/recovery-plan-killed.test.ts",
  "test/e2e/configuration.test.ts",
  "test/e2e/lost-answer.test.ts",
  "test/e2e/install.test.ts",
  "test/e2e/upgrade.test.ts",
  "test/e2e/secrets.test.ts",
  "test/e2e/whose-rows.test.ts",
  "test/e2e/orphans.test.ts",
  "test/browser/report.test.ts",
  "test/panel/redact.test.ts",
  "test/panel/malformed.test.ts",
  "test/panel/http.test.ts",
  "test/restore/faults.test.ts",
  "test/panel/walk.test.ts",
  "test/engine/hostile.test.ts",
  "test/feed/memory.test.ts",
  "test/package/manifest.test.ts",
];

/**
 * The files of one part of the tests, in the order in which they begin.
 *
 * @param {"unit" | "e2e"} part
 * @param {{ long: boolean }} options
 */
export function testFiles(part, { long }) {
  const isEndToEnd = (/** @type {string} */ path) => path.startsWith("test/e2e/");
  return inOrder(
    readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
      .map((path) => join("test", path).split(sep).join("/"))
      .filter((path) => path.endsWith(".test.ts") && isEndToEnd(path) === (part === "e2e"))
      .filter((path) => long || !path.endsWith(".long.test.ts")),
  );
}

/**
 * @param {readonly string[]} paths
 * @returns {string[]}
 */
export function inOrder(paths) {
  const place = (/** @type {string} */ path) => (slowest.includes(path) ? slowest.indexOf(path) : slowest.length);
  return [...paths].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}
