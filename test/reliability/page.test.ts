import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { reliabilityPage, type Result } from "./page";
import { promises } from "./promises";

const circumstances = { version: "1.2.3", date: "2026-11-21", node: "20", platform: "linux" };
const promise = { promise: "It holds", how: "by force", files: ["a.test.ts", "a.long.test.ts"] };

const row = (results: readonly Result[]): string =>
  reliabilityPage([promise], results, circumstances)
    .split("\n")
    .find((line) => line.includes("It holds")) ?? "";

describe("the page of what was put to the test", () => {
  const passed: Result = { file: "a.test.ts", state: "passed", ms: 1_000 };

  it("counts what passed of what was run, and names what was not", () => {
    assert.match(row([passed, { ...passed, state: "failed" }]), /\| 1 of 2; not run: `a\.long\.test\.ts` \| 2 s \|$/);
    assert.match(row([passed, { ...passed, file: "a.long.test.ts", ms: 200_000 }]), /\| 2 of 2 \| 3 min \|$/);
    assert.match(row([passed, { ...passed, file: "a.long.test.ts", state: "skipped" }]), /\| 1 of 2 \(1 skipped\) \|/);
    assert.match(row([]), /\| not run \| 0 s \|$/);
  });

  it("names test files that are there", () => {
    for (const file of promises.flatMap(({ files }) => files)) assert.ok(existsSync(join(__dirname, "..", file)), file);
  });
});
