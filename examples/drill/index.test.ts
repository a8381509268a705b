import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { mocks, type MockOptions } from "pulumi-recovery/testing";
import { parse } from "yaml";

const now = "2026-11-20T10:00:00Z";
const stack = parse(readFileSync(join(__dirname, "Pulumi.drill.yaml"), "utf8")) as { config: Record<string, unknown> };
const settings = Object.entries(stack.config).map(([key, value]) => [
  key,
  typeof value === "string" ? value : JSON.stringify(value),
]);

/** Runs the program afresh and returns its outputs. */
async function outputsWith(options: MockOptions) {
  await pulumi.runtime.setMocks(mocks({ now, ...options }), "recovery-drill", "drill");
  pulumi.runtime.setAllConfig(Object.fromEntries(settings) as Record<string, string>);
  delete require.cache[require.resolve("./index")];
  const outputs = pulumi.output(require("./index") as typeof import("./index"));
  return new Promise<pulumi.Unwrap<typeof outputs>>((resolve) => {
    outputs.apply(resolve);
  });
}

describe("the drill", () => {
  const lastNight = [{ id: "7001", takenAt: "2026-11-20T02:00:00Z" }];

  it("passes when every machine comes back, wave after wave", async () => {
    const { verdict, reasons, states, recoveryTimeSeconds } = await outputsWith({ points: lastNight });
    assert.deepEqual([verdict, reasons], ["passed", []]);
    assert.equal(Object.values(states).filter((state) => state === "complete").length, 12);
    // Each of the three waves takes a minute.
    assert.equal(recoveryTimeSeconds, 180);
  });

  it("stops before the next wave if a database does not come back", async () => {
    const { verdict, states } = await outputsWith({ points: lastNight, failed: ["db-01"] });
    assert.equal(verdict, "failed");
    assert.deepEqual(states, { "db-01": "failed", "db-02": "complete", "files-01": "complete" });
  });

  it("fails when the backups are older than a day", async () => {
    const { verdict, reasons } = await outputsWith({ points: [{ id: "6001", takenAt: "2026-11-18T02:00:00Z" }] });
    assert.equal(verdict, "failed");
    assert.ok(reasons.includes("db-01: data age 2d 8h, goal 1d missed"), reasons.join("\n"));
  });
});
