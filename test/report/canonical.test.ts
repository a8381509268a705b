import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { report, sha256Of, toHtml, toJson, toMarkdown, type Report } from "../../report";
import { passed } from "./support/cases";

describe("the report's JSON", () => {
  it("has the same bytes for any order of keys in the state", () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, item]) => [key, turned(item)]),
      );
    };
    const made = report(passed);
    assert.equal(toJson(turned(made) as Report), toJson(made));
  });

  it("has its keys in order, at every depth, and one line end at its end", () => {
    const check = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      if (!Array.isArray(value)) assert.deepEqual(Object.keys(value), Object.keys(value).sort());
      Object.values(value).forEach(check);
    };
    const json = toJson(report(passed));
    check(JSON.parse(json));
    assert.match(json, /[^\n]\n$/);
  });

  it("is what the other formats show the SHA-256 of", () => {
    const made = report(passed);
    const hash = createHash("sha256").update(toJson(made)).digest("hex");
    assert.equal(sha256Of(made), hash);
    assert.ok(toHtml(made).includes(hash));
    assert.ok(toMarkdown(made).includes(hash));
  });

  it("changes with every figure", () => {
    const made = report(passed);
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        const other = { ...made, measured: { ...made.measured, recoveryTimeSeconds: seconds } };
        assert.equal(sha256Of(other) === sha256Of(made), seconds === made.measured.recoveryTimeSeconds);
      }),
    );
  });
});
