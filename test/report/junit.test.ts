import assert from "node:assert/strict";
import { XMLValidator } from "fast-xml-parser";
import type { TestSuites } from "junit2json" with { "resolution-mode": "import" };
import { report, toJunit } from "../../report";
import * as cases from "./support/cases";
import { goldenReports } from "./support/golden";
import { stackOfPlan } from "../support/stored/plans";

/** Loads the parser dynamically, because it is an ES module. */
async function parse(xml: string): Promise<TestSuites> {
  const consumer = await import("junit2json");
  return (await consumer.parse(xml)) as TestSuites;
}

describe("the report as JUnit XML, read by a consumer's parser", () => {
  it("has correct totals, and is green only for a run that passed", async () => {
    for (const made of Object.values(goldenReports())) {
      const xml = toJunit(made);
      assert.equal(XMLValidator.validate(xml), true);
      const whole = await parse(xml);
      const all = (whole.testsuite ?? []).flatMap(({ testcase = [] }) => testcase);
      assert.equal(whole.tests, all.length);
      assert.equal(whole.failures, all.filter(({ failure }) => failure !== undefined).length);
      assert.equal(whole.errors, all.filter(({ error }) => error !== undefined).length);
      const isGreen = (whole.failures ?? 0) + (whole.errors ?? 0) === 0;
      assert.equal(isGreen, /^(?:passed|complete)/.test(made.verdict.result), made.verdict.result);
    }
  });

  it("reports a missed goal as a failure unless onMissedGoal is warn", async () => {
    for (const [onMissedGoal, outcome] of [
      ["fail", "failure"],
      ["warn", "skipped"],
    ] as const) {
      const state = stackOfPlan({ ...cases.shop, wholeGoalSeconds: 60, onMissedGoal });
      const { testsuite = [] } = await parse(toJunit(report(state)));
      const found = testsuite
        .flatMap(({ testcase = [] }) => testcase)
        .find(({ name }) => name === "goal of the whole plan: recovery time within 1m");
      assert.ok(found?.[outcome] !== undefined, outcome);
    }
  });
});
