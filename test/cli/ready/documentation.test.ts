import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";
import { exitCodes } from "../../../cli/parts/command";
import { usage } from "../../../cli/ready/arguments";

const root = join(__dirname, "..", "..", "..");
const page = readFileSync(join(root, "docs", "ready.md"), "utf8");

describe("docs/ready.md", () => {
  it("has the command's help and its exit codes", () => {
    assert.ok(page.includes(`\`\`\`text\n${usage.trimEnd()}\n\`\`\``));
    for (const code of Object.values(exitCodes)) assert.match(page, new RegExp(`^\\| \`${String(code)}\``, "m"));
    for (const line of usage.split("\n")) assert.ok(line.length <= 80, line);
  });

  it("names everything that is found, and nothing else", () => {
    const folder = join(root, "cli", "ready");
    const sources = readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    const code = /"((?:list|machine|points?|restore|state)\.[a-z-]+)"/g;
    const made = sources.flatMap((text) => [...text.matchAll(code)].map(([, found]) => found));
    const named = [...page.matchAll(/^\| `([a-z]+\.[a-z-]+)`/gm)].map(([, found]) => found);
    assert.ok(named.length > 20);
    assert.deepEqual([...new Set(named)].sort(), [...new Set(made)].sort());
  });
});
