import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { thorough } from "./thorough";

export const isRewriting = process.env["GOLDEN"] === "write";
const written = new Map<string, string>();

/** Compares a text with the part of a file in `test/golden/` that has this title, which `npm run golden` rewrites. */
export function assertGolden(name: string, title: string, text: string): void {
  const file = join(__dirname, "..", "golden", name);
  const head = `===== ${title}\n`;
  if (isRewriting) {
    written.set(name, `${written.get(name) ?? ""}${head}${text}\n`);
    writeFileSync(file, written.get(name) ?? "");
  }
  const [, part = ""] = readFileSync(file, "utf8").split(head);
  assert.equal(`${text}\n`, part.split("===== ", 1)[0], `${title}: differs from ${name} (npm run golden rewrites it)`);
}

/** The totals for each panel and stack in the current test, as recorded in `panels.txt`. */
export const counts: (() => string)[] = [];

/** Runs after each test. Long runs have more panels. */
export const mochaHooks = {
  afterEach(this: Mocha.Context): void {
    const lines = counts.splice(0).map((count) => count());
    const isCounted = this.currentTest?.state === "passed" && thorough(1, 0) === 1 && lines.length > 0;
    if (isCounted) assertGolden("panels.txt", this.currentTest?.fullTitle() ?? "", lines.join("\n"));
  },
};

/** The length of all outputs that are stored. */
export function storedLength(state: readonly { readonly outputs: object }[]): string {
  return `${String(JSON.stringify(state.map(({ outputs }) => outputs)).length)} characters stored`;
}
