import assert from "node:assert/strict";
import { report, toJson } from "../../report";
import * as cases from "./support/cases";
import { goldenReports } from "./support/golden";
import { published } from "../cli/support/published";

describe("the report's schema", () => {
  const assertPublished = published("report");
  const reports = {
    ...goldenReports(),
    fleet: report(cases.fleet(20)),
    failed: report(cases.failed),
    waited: report(cases.waited),
    logs: report(cases.restoresWithLog, { logs: "with logs" }),
    empty: report(cases.empty),
    hostile: report(cases.hostile),
  };
  for (const [name, made] of Object.entries(reports)) {
    it(`accepts the "${name}" report`, () => {
      assertPublished(JSON.parse(toJson(made)) as object);
    });
  }

  it("rejects unknown properties and unknown verdicts", () => {
    const made = report(cases.passed);
    for (const wrong of [{ compliant: true }, { verdict: { ...made.verdict, result: "fine" } }, { formatVersion: 2 }])
      assert.throws(() => assertPublished({ ...made, ...wrong }), assert.AssertionError);
  });
});
