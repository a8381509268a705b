import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { reliabilityPage, type Result } from "../../docs/reliability/page";
import { promises } from "../../docs/reliability/promises";

const circumstances = {
  version: "1.2.3",
  date: "2026-11-21",
  node: "20",
  platform: "linux",
  engine: { cli: "3.255.0", sdk: "3.248.0" },
  supportedOn: "2026-11-20",
};
const promise = { promise: "It holds", how: "By force", files: ["a.test.ts", "b.test.ts"] };

const row = (results: readonly Result[]): string =>
  reliabilityPage([promise], results, circumstances)
    .split("\n")
    .find((line) => line.includes("It holds")) ?? "";

describe("the page docs/reliability.md", () => {
  const passed: Result = { file: "a.test.ts", title: "a promise holds", state: "passed" };

  it("counts the tests that passed, and names the files that were not run", () => {
    assert.match(row([passed, { ...passed, state: "failed" }]), / By force: 1 of 2 passed; not run: `b\.test\.ts`\.$/);
    assert.match(row([passed, { ...passed, file: "b.test.ts" }]), / By force: 2 of 2 passed\.$/);
    assert.match(row([passed, { ...passed, file: "b.test.ts", state: "skipped" }]), /: 1 of 2 passed \(1 skipped\)\.$/);
    assert.match(row([]), / By force: not run\.$/);
  });

  it("names only existing test files", () => {
    for (const file of promises.flatMap(({ files }) => files)) assert.ok(existsSync(join(__dirname, "..", file)), file);
    for (const { promise: what, files } of promises) assert.ok(files.length > 0, what);
  });

  it("includes every long test", () => {
    const named = new Set(promises.flatMap(({ files }) => files));
    const tests = join(__dirname, "..");
    const isLong = /^import \{[^}]*\blong\b[^}]*\} from ".*\/support\/thorough";$/m;
    const long = readdirSync(tests, { recursive: true, encoding: "utf8" })
      .map((file) => file.split(sep).join("/"))
      .filter((file) => file.endsWith(".test.ts") && isLong.test(readFileSync(join(tests, file), "utf8")));
    const missing = long.filter((file) => !named.has(file));
    assert.deepEqual(missing, []);
  });
});
