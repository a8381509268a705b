import assert from "node:assert/strict";
import { report, toJson } from "../../report";
import * as cases from "./support/cases";
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
      : named(value, !Array.isArray(part) && key in schema.$defs ? `#${key}` : path),
  );
}

/** The paths of all properties of a report, written like those of the schema. */
function seen(value: unknown, path: string, into: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) seen(item, path, into);
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const at = `${path}.${key}`;
      into.add(at);
      if (at !== ".plan") seen(inner, at === ".waves.restores" ? "#restore" : at, into);
    }
  }
}

describe("the report's schema", () => {
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
    it(`accepts the report ${name}`, () => {
      assert.equal(validate(JSON.parse(toJson(made))), true, JSON.stringify(validate.errors, undefined, 2));
    });
  }

  it("has only properties that some report uses", () => {
    const all = new Set<string>();
    for (const made of Object.values(reports)) seen(made, "", all);
    assert.ok(named(schema).length > 80);
    const unseen = named(schema).filter((path) => !all.has(path));
    assert.deepEqual(unseen, []);
  });

  it("rejects unknown properties and unknown verdicts", () => {
    const made = report(cases.passed);
    assert.equal(validate({ ...made, compliant: true }), false);
    assert.equal(validate({ ...made, verdict: { ...made.verdict, result: "fine" } }), false);
    assert.equal(validate({ ...made, formatVersion: 2 }), false);
  });
});
