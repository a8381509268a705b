import { readdirSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { root } from "../setup/places.mjs";

/** The test files in these parts, interleaved, so that some tests always compute while others wait. */
export function testFiles(/** @type {readonly ("unit" | "e2e")[]} */ ...parts) {
  const lists = parts.map(filesOf);
  return lists
    .flatMap((files, part) => files.map((file, index) => ({ file, turn: index + part / parts.length })))
    .sort((a, b) => a.turn - b.turn)
    .map(({ file }) => file);
}

/** Puts the quickstart's slow test first, and then large files, so that no core is idle at the end. */
function filesOf(/** @type {"unit" | "e2e"} */ part) {
  const isEndToEnd = (/** @type {string} */ path) => path.startsWith("test/e2e/");
  const size = (/** @type {string} */ path) => statSync(join(root, path)).size;
  return readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .map((path) => join("test", path).split(sep).join("/"))
    .filter((path) => path.endsWith(".test.ts") && isEndToEnd(path) === (part === "e2e"))
    .sort((a, b) => +b.includes("/quickstart.") - +a.includes("/quickstart.") || size(b) - size(a) || (a < b ? -1 : 1));
}
