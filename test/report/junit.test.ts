import assert from "node:assert/strict";
import { XMLValidator } from "fast-xml-parser";
import type { TestSuites } from "junit2json" with { "resolution-mode": "import" };
import { report, toJunit } from "../../report";
import * as cases from "./support/cases";
import { goldenReports } from "./support/golden";

/** The parser is an ES module. */
async function parse(xml: string): Promise<TestSuites> {
  const consumer = await import("junit2json");
  return (await consumer.parse(xml)) as TestSuites;
}

function suites(state: object, options = {}): Promise<TestSuites> {
  return parse(toJunit(report(state, options)));
}

/** The cases of a report by name, with their outcomes. */
async function outcomes(state: object, options = {}): Promise<Readonly<Record<string, string>>> {
  const { testsuite = [] } = await suites(state, options);
  return Object.fromEntries(
    testsuite.flatMap(({ testcase = [] }) =>
      testcase.map((one) => [
        one.name ?? "",
        one.failure !== undefined
          ? "failure"
          : one.error !== undefined
            ? "error"
            : one.skipped !== undefined
              ? "skipped"
              : "passed",
      ]),
    ),
  );
}

describe("the report as JUnit XML, read by a consumer's parser", () => {
  it("has a suite per wave, and one of the run", async () => {
    const { testsuite = [] } = await suites(cases.passed);
    assert.deepEqual(
      testsuite.map(({ name }) => name),
      ["shop: wave 1, data", "shop: wave 2, front", "shop: the run"],
    );
    assert.equal(testsuite[0]?.testcase?.[0]?.time, 1_470);
  });

  it("adds up, for every run", async () => {
    for (const made of Object.values(goldenReports())) {
      const xml = toJunit(made);
      assert.equal(XMLValidator.validate(xml), true);
      const whole = await parse(xml);
      const all = (whole.testsuite ?? []).flatMap(({ testcase = [] }) => testcase);
      assert.equal(whole.tests, all.length);
      assert.equal(whole.failures, all.filter(({ failure }) => failure !== undefined).length);
      assert.equal(whole.errors, all.filter(({ error }) => error !== undefined).length);
      const green = (whole.failures ?? 0) + (whole.errors ?? 0) === 0;
      assert.equal(green, made.verdict.result.startsWith("passed"), made.verdict.result);
    }
  });

  it("a missed goal is a failure, where it does not only warn", async () => {
    assert.equal(
      (await outcomes(cases.restores, { goalTimeSeconds: 900 }))["goal db: recovery time within 15 min"],
      "failure",
    );
  });
});
