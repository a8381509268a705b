import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

describe("what tests need besides the Pulumi CLI", () => {
  it("is all of it on the list of what a long run gets before its first test", async () => {
    const { needs } = await import("../../tools/test/needs.mjs");
    const tests = join(__dirname, "..");
    const asked = readdirSync(tests, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [...readFileSync(join(tests, file), "utf8").matchAll(/\b(?:needs|find)\("([\w-]+)"\)/g)])
      .map(([, name]) => name!);
    assert.ok(asked.length > 10);
    assert.deepEqual(
      [...new Set(asked)].filter((name) => !(name in needs)),
      [],
    );
  });
});
