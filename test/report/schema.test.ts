import assert from "node:assert/strict";
import { report, toJson } from "../../report";
import { fleet } from "./support/cases";
import * as cases from "./support/cases";
import { stackOfPlan } from "./support/plans";
import { goldenReports } from "./support/golden";
import { schema, validate } from "./support/schema";

/** The paths of all properties in the schema. */
function named(part: unknown, path = ""): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "properties"
      ? Object.entries(value as object).flatMap(([name, inner]) => [
          `${path}.${name}`,
          ...named(inner, `${path}.${name}`),
        ])
      : named(
          value,
          key === "$defs" || key === "items"
            ? path
            : Array.isArray(part)
              ? path
              : key in schema.$defs
                ? `#${key}`
                : path,
        ),
  );
}

/** The paths of all properties of a report, as the schema names them. */
function seen(value: unknown, path: string, into: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) seen(item, path, into);
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const at = `${path}.${key}`;
      into.add(at);
      if (at === ".plan.asGiven" || at === ".source.versions") continue;
      const refs = {
        ".waves": "#wave",
        "#wave.between": "#between",
        "#wave.restores": "#step",
        "#step.checks": "#check",
        "#step.earlierTries": "#try",
        "#try.checks": "#check",
        ".takenOut.tries": "#try",
        ".run.pipeline": "#pipeline",
        ".changes.pipeline": "#pipeline",
        ".goals": "#goal",
      };
      const ref = { ...refs, "#step.chosenBy": "#chosenBy" }[at];
      seen(inner, ref ?? at, into);
    }
  }
}

describe("the report's schema", () => {
  const reports = {
    ...goldenReports(),
    fleet: report(fleet(20)),
    logs: report(cases.restoresWithLog, { logs: "with logs" }),
    outputs: report(cases.withCheckOutput, { logs: "with logs" }),
    wholeStep: report(cases.restoresUnfinished),
    changedByPipeline: report(
      stackOfPlan({
        waves: [{ name: "data", restores: [{ name: "db", machine: 43, requested: 0, ran: 60, transaction: "1" }] }],
        runFields: {
          history: [
            {
              at: "2026-11-21T10:05:00Z",
              by: {},
              pipeline: { name: "GitLab", actor: "ada" },
              changes: [{ path: "goals.recoveryTimeSeconds", after: "3600" }],
            },
          ],
        },
      }),
    ),
  };
  for (const [name, made] of Object.entries(reports)) {
    it(`holds for ${name}`, () => {
      assert.equal(validate(JSON.parse(toJson(made))), true, JSON.stringify(validate.errors, undefined, 2));
    });
  }

  it("names only properties that some report has", () => {
    const all = new Set<string>();
    for (const made of Object.values(reports)) seen(made, "", all);
    assert.ok(named(schema).length > 100);
    assert.deepEqual(
      named(schema).filter((path) => !all.has(path)),
      [],
    );
  });

  it("refuses unknown properties and unknown verdicts", () => {
    const made = report(cases.passed);
    assert.equal(validate({ ...made, compliant: true }), false);
    assert.equal(validate({ ...made, verdict: { ...made.verdict, result: "fine" } }), false);
    assert.equal(validate({ ...made, formatVersion: 2 }), false);
  });
});
