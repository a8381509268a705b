import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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
