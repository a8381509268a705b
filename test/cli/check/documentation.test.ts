import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";
import { usage } from "../../../cli/check/arguments";
import { maxRequests } from "../../../cli/check/survey";
import { exitCodes } from "../../../cli/parts/command";

const root = join(__dirname, "..", "..", "..");
const page = readFileSync(join(root, "docs", "check.md"), "utf8");

describe("docs/check.md", () => {
  it("has the command's help, its exit codes and how many requests it makes", () => {
    assert.ok(page.includes(`\`\`\`text\n${usage.trimEnd()}\n\`\`\``));
    const [said = ""] = /^Exit codes: [\s\S]*$/m.exec(usage) ?? [];
    for (const code of Object.values(exitCodes)) assert.match(said, new RegExp(`\\b${String(code)} \\w`));
    for (const text of [page, usage]) assert.match(text, new RegExp(`at most ${String(maxRequests)}\\b`));
    for (const line of usage.split("\n")) assert.ok(line.length <= 80, line);
  });

  it("names every finding there is, and no other", () => {
    const folder = join(root, "cli", "check");
    const sources = readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    const made = sources.flatMap((text) =>
      [...text.matchAll(/"((?:connection|list|words|whose|machine)\.[a-z-]+)"/g)].map(([, code]) => code),
    );
    const named = [...page.matchAll(/^\| `((?:connection|list|words|whose|machine)\.[a-z-]+)`/gm)].map(
      ([, code]) => code,
    );
    assert.ok(named.length > 20);
    assert.deepEqual([...new Set(named)].sort(), [...new Set(made)].sort());
  });
});
