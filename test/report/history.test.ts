import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { historyPage, readReport, report, toJson } from "../../report";
import * as cases from "./support/cases";

const jsons = cases.history().map((state) => toJson(report(state)));
const entries = jsons.map(readReport);

describe("the history of several reports", () => {
  it("lists runs newest first, with verdicts and the SHA-256 of each given file", () => {
    const page = historyPage(entries.toReversed());
    const runs = [...page.matchAll(/<th scope="row" class="sticky">(20\d\d-Q\d)</g)].map(({ 1: run }) => run);
    assert.deepEqual(runs, ["2026-Q4", "2026-Q3", "2026-Q2", "2026-Q1", "2025-Q4"]);
    for (const json of jsons) assert.ok(page.includes(createHash("sha256").update(json).digest("hex")));
  });

  it("counts a report that is given twice once", () => {
    assert.equal(historyPage([...entries, ...entries]), historyPage(entries));
  });

  it("compares with the newest earlier run of the same plan", () => {
    const made = report(cases.passed, { earlier: entries });
    assert.equal(made.before?.run, "2026-Q3");
    assert.equal(made.before.sha256, entries[3]?.sha256);
    const web = made.waves[1]?.restores.find(({ name }) => name === "web");
    assert.equal(web?.before?.recoveredSeconds, entries[3]?.steps.find(({ name }) => name === "web")?.recoveredSeconds);
    const other = report(cases.restores, { earlier: entries });
    assert.equal(other.before, undefined);
  });

  it("refuses anything but a report of a known format", () => {
    assert.throws(() => readReport("{"), { name: "ReportError", message: /is not JSON/ });
    assert.throws(() => readReport("[]"), /is not a report/);
    assert.throws(() => readReport(JSON.stringify(cases.passed)), /is not a report/);
    assert.throws(
      () => readReport((jsons[0] ?? "").replace('"formatVersion": 1,', '"formatVersion": 9,')),
      /is of format 9; this release reads format 1/,
    );
  });
});
