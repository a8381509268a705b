import assert from "node:assert/strict";
import { CheckOutput } from "../../provider/checks/output";
import { shownExpectation, shownTarget } from "../../provider/checks/target";
import type { StoredCheckPlan } from "../../provider/inputs/read-check";
import { secretsRedactor } from "../../provider/panel/secrets";

describe("the shown target of a check", () => {
  const table: readonly [StoredCheckPlan["kind"], unknown, string][] = [
    ["http", "https://shop.example.com/health", "https://shop.example.com/health"],
    ["http", "https://shop.example.com/health?token=hunter2", "https://shop.example.com/health?…"],
    ["http", "https://ada:hunter2@shop.example.com/", "https://shop.example.com/"],
    ["tcp", "10.0.0.43:5432", "10.0.0.43:5432"],
    ["command", "psql", "psql"],
    ["command", "/opt/my tools/run", "/opt/my"],
    ["command", "a\nb <{%x%}>", "a"],
    ["command", "x".repeat(500), `${"x".repeat(200)}…`],
  ];
  for (const [kind, asked, expected] of table) {
    it(`of ${kind} ${JSON.stringify(asked).slice(0, 60)}`, () => assert.equal(shownTarget(kind, asked), expected));
  }

  for (const [given, expected] of [
    [{ status: 204 }, "status 204"],
    [{ status: [200, 204], contains: "ok" }, 'status 200 or 204, containing "ok"'],
    [{ contains: "password=hunter2 <{%x%}>\n" }, 'containing "password=[secret] <{ %x%}> "'],
  ] as const) {
    it(`and the expected answer: ${JSON.stringify(given)}`, () => assert.equal(shownExpectation(given), expected));
  }

  it("and its output: the end, masked, as far as it fits", () => {
    const kept = new CheckOutput();
    kept.add(
      "db",
      0,
      `${"x".repeat(10_000)} Bearer-value-123456 password=hunter2 end`,
      secretsRedactor(["Bearer-value-123456"]),
    );
    const text = kept.all["db"]?.["1"] ?? "";
    assert.ok(text.length <= 4_001 && text.endsWith("[secret] password=[secret] end"), text.slice(-60));
    for (let index = 0; index < 2_000; index++) kept.add("many", index, "y".repeat(5_000), (text) => text);
    assert.ok(JSON.stringify(kept.all).length < 1_100_000);
  });
});
