import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type PointRule, readPointRule } from "../../provider/inputs/read-point-rule";
import { Problems } from "../../provider/inputs/problems";
import { readPlan } from "../../provider/inputs/read-plan";
import { verdictOfRun } from "../../provider/plan/verdict";
import { isOutputOrPromise } from "../../provider/program/program-values";
import { check, runOf, step, waveOf } from "./support/stored-plans";

const machine = { virtualMachineId: 42 };
const before = "2026-11-20T09:30:00Z";

interface Levels {
  readonly plan?: unknown;
  readonly wave?: unknown;
  readonly restore?: Readonly<Record<string, unknown>>;
}

function read({ plan, wave, restore = {} }: Levels): { readonly problems: readonly string[]; readonly point: unknown } {
  const problems = new Problems();
  const found = readPlan(
    {
      run: "a",
      recoveryPoint: plan,
      waves: [{ name: "data", recoveryPoint: wave, restores: { db: { ...machine, ...restore } } }],
    },
    { isUnknown: isOutputOrPromise, problems },
  );
  const inputs = found?.waves[0]?.restores[0]?.inputs ?? {};
  const { recoveryPointId, recoveryPoint } = inputs;
  return { problems: problems.all.map(({ reason }) => reason), point: recoveryPointId ?? recoveryPoint };
}

const rules = fc.oneof(
  fc.constant("newest"),
  fc.record(
    {
      before: fc.constantFrom(before, "2026-11-20T10:30:00+01:00", undefined),
      within: fc.constantFrom("7d", 604_800, "168h", undefined),
      pick: fc.constantFrom("newest", "oldest", "random", undefined),
    },
    { requiredKeys: [] },
  ),
);

function inOneForm(rule: unknown): PointRule {
  const reading = readPointRule(rule);
  assert.ok("value" in reading);
  return reading.value;
}

describe("the rule of a planned restore", () => {
  it("is the nearest one, and an id on the restore comes before those of the wave and of the plan", () => {
    const maybe = fc.option(rules, { nil: undefined });
    fc.assert(
      fc.property(maybe, maybe, maybe, fc.boolean(), (plan, wave, own, hasId) => {
        const restore = hasId ? { recoveryPointId: 7 } : { recoveryPoint: own };
        const { problems, point } = read({ plan, wave, restore });
        const nearest = hasId ? undefined : (own ?? wave ?? plan);
        if (hasId) assert.deepEqual([problems, point], [[], 7]);
        else if (nearest === undefined)
          assert.match(problems.join(), /db\.recoveryPointId is missing: give it, or a rule/);
        else assert.deepEqual([problems, inOneForm(point)], [[], inOneForm(nearest)]);
      }),
    );
  });

  const wrong: readonly [string, Levels, RegExp][] = [
    ["of the plan", { plan: "latest" }, /^recoveryPoint is "latest": give "newest", or an object/],
    ["of a wave", { wave: { before: "2026-11-20 09:30" } }, /^waves\[0\]\.recoveryPoint\.before is .* with its zone/],
    [
      "of a restore",
      { restore: { recoveryPoint: { within: "soon" } } },
      /^waves\[0\]\.restores\.db\.recoveryPoint\.within is "soon", which is not a duration/,
    ],
    [
      "with a part that there is not",
      { plan: { befor: before } },
      /^recoveryPoint has no befor, did you mean "before"\?/,
    ],
    [
      "of another kind",
      { plan: { pick: "best" } },
      /^recoveryPoint\.pick is "best": give "newest", "oldest" or "random"/,
    ],
    [
      "beside an id of the same restore",
      { restore: { recoveryPointId: 7, recoveryPoint: "newest" } },
      /^waves\[0\]\.restores\.db\.recoveryPoint and recoveryPointId are both given: give one of the two/,
    ],
    [
      "beside a time of the point",
      { restore: { recoveryPoint: "newest", recoveryPointTakenAt: before } },
      /^waves\[0\]\.restores\.db\.recoveryPointTakenAt is given beside a rule/,
    ],
    [
      "of the plan beside a time of the point",
      { plan: "newest", restore: { recoveryPointTakenAt: before } },
      /^waves\[0\]\.restores\.db\.recoveryPointTakenAt is given beside a rule/,
    ],
  ];
  for (const [what, levels, expected] of wrong) {
    it(`that is wrong (${what}) is refused with its path`, () => {
      const { problems } = read(levels);
      assert.equal(problems.length, 1, problems.join("\n"));
      assert.match(problems[0]!, expected);
    });
  }

  it("of the plan does not concern a restore that has an id and a time", () => {
    assert.deepEqual(
      read({ plan: "newest", restore: { recoveryPointId: 7, recoveryPointTakenAt: before } }).problems,
      [],
    );
  });
});

describe("a step whose point a rule has chosen", () => {
  const rule: PointRule = { pick: "newest" };
  const planned = { virtualMachineId: "42", recoveryPoint: rule };
  const stored = step({ recoveryPoint: rule, recoveryPointId: "1008" });

  it("is measured by the time of the chosen point", () => {
    const goals = { dataAgeSeconds: 36_000 };
    const run = runOf([], {
      waves: [{ name: "data", goals, restores: { db: { ...planned, checks: [check] } } }],
    });
    const checks = [{ ...check, result: "passed", tries: 1 } as const];
    const taken = { ...stored, recoveryPointTakenAt: "2026-11-20T02:00:00Z", checks, checkedSeconds: 1 };
    const judged = (incidentAt?: string) =>
      verdictOfRun({ ...run, ...(incidentAt !== undefined && { incidentAt }) }, [waveOf({ db: taken })], before);
    const age = (of: ReturnType<typeof verdictOfRun>) => of.goals.find(({ goal }) => goal === "dataAge");
    assert.deepEqual([judged().verdict, age(judged())?.measuredSeconds], ["passed", 28_800]);
    assert.equal(age(judged("2026-11-20T05:00:00Z"))?.measuredSeconds, 10_800);
    assert.equal(judged("2026-11-20T01:00:00Z").verdict, "incomplete", "moved to before the point that was chosen");
  });
});
