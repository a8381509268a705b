import assert from "node:assert/strict";
import { type PointRule, readPointRule, ruleForIncident } from "../../provider/inputs/read-point-rule";

function ruleOf(value: unknown): PointRule {
  const reading = readPointRule(value);
  assert.ok("value" in reading, "problem" in reading ? reading.problem : "");
  return reading.value;
}

describe("A rule for a recovery point", () => {
  for (const [spellings, rule] of [
    [["newest", {}, { pick: "newest" }, { pick: null, before: null, within: undefined }], { pick: "newest" }],
    [
      [
        { before: "2026-11-20T09:30:00Z" },
        { before: "2026-11-20 10:30:00+01:00", pick: "newest" },
        { before: "2026-11-20T09:30:00.000Z" },
        { before: "2026-11-20T04:00-0530" },
      ],
      { pick: "newest", before: "2026-11-20T09:30:00Z" },
    ],
    [[{ before: "2026-11-20T09:30:00.25Z" }], { pick: "newest", before: "2026-11-20T09:30:00.250Z" }],
    [
      [{ within: "7d" }, { within: "168h" }, { within: 604_800 }, { within: "604800" }],
      { pick: "newest", within: 604_800 },
    ],
    [
      [{ pick: "oldest", within: "400d", before: "2026-01-01T00:00:00Z" }],
      { pick: "oldest", within: 400 * 86_400, before: "2026-01-01T00:00:00Z" },
    ],
    [[{ pick: "random" }], { pick: "random" }],
  ] as const) {
    for (const spelling of spellings) {
      it(`is read as ${JSON.stringify(rule)} when written as ${JSON.stringify(spelling)}`, () => {
        assert.deepEqual(ruleOf(spelling), rule);
      });
    }
  }

  it("uses a plan's incidentAt as `before` if it has no `before`, and is not itself modified", () => {
    const rule = ruleOf({ within: "7d" });
    assert.deepEqual(ruleForIncident(rule, "2026-11-20T10:30:00+01:00"), { ...rule, before: "2026-11-20T09:30:00Z" });
    assert.deepEqual(rule, { pick: "newest", within: 604_800 });
    const own = ruleOf({ before: "2026-01-01T00:00:00Z" });
    assert.equal(ruleForIncident(own, "2026-11-20T09:30:00Z"), own);
    assert.equal(ruleForIncident(own, undefined), own);
  });
});
