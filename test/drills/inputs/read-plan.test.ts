import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { readPlan, type ReadPlan } from "../../../drills/inputs/read-plan";
import { wavePartsOf } from "../../../drills/inputs/wave-texts";
import { Problems } from "../../../provider/inputs/problems";
import { readPointRule } from "../../../provider/inputs/read-point-rule";
import { isOutputOrPromise } from "../../../provider/program/program-values";

const restore = { virtualMachineId: 42, recoveryPointId: 7 };
const at = "2026-11-20T09:30:00Z";

function read(args: unknown): { readonly problems: readonly string[]; readonly plan: ReadPlan | undefined } {
  const problems = new Problems();
  const plan = readPlan(args, { isUnknown: isOutputOrPromise, problems });
  return { plan, problems: problems.all.map(({ reason }) => reason) };
}
const of = (db: unknown, more: object = {}, wave: object = {}) =>
  read({ run: "a", ...more, waves: [{ name: "data", ...wave, restores: { db } }] });

describe("the arguments of a plan", () => {
  it("are read into one spelling, with defaults", () => {
    const { plan, problems } = read({
      run: "2026-Q4",
      goals: { recoveryTime: "1h", dataAge: "24h" },
      waves: [
        { name: "data", restores: { db: { ...restore, checks: [{ tcp: "10.0.0.43:5432", within: "5m" }] } } },
        { name: "front", goals: { recoveryTime: 7_200 }, restores: {} },
      ],
      wholeGoals: { recoveryTime: "2h" },
    });
    assert.deepEqual(problems, []);
    const { kind, onFailure, onMissedGoal, goals, wholeGoals } = plan!;
    assert.deepEqual([kind, onFailure, onMissedGoal], ["drill", "stop", "fail"]);
    assert.deepEqual(
      [goals, wholeGoals],
      [{ recoveryTimeSeconds: 3_600, dataAgeSeconds: 86_400 }, { recoveryTimeSeconds: 7_200 }],
    );
    assert.deepEqual(plan?.waves[1]?.goals, { recoveryTimeSeconds: 7_200 });
  });

  it("may hold outputs in their leaves", () => {
    const later = pulumi.output("later");
    const checks = [
      { http: later, headers: { authorization: later }, status: later, contains: later },
      { tcp: later },
      { command: ["ssh", later], env: { TOKEN: later } },
    ];
    const db = { virtualMachineId: later, recoveryPointId: later, recoveryPointTakenAt: later, paths: [later] };
    const { problems } = of(
      { ...db, triggers: [later], checks },
      { run: later, incidentAt: later, notes: { owner: later } },
    );
    assert.deepEqual(problems, []);
  });

  const three = Object.fromEntries(Array.from({ length: 3_001 }, (_, index) => [`m${index}`, restore]));
  const check = (given: object) => of({ ...restore, checks: [given] });
  const path = String.raw`waves\[0\]\.restores\.db`;
  const wrong: readonly [string, () => { readonly problems: readonly string[] }, RegExp][] = [
    ["no run", () => of(restore, { run: undefined }), /^run is missing: give a text/],
    [
      "an unknown property",
      () => of(restore, { onFailur: "stop" }),
      /^onFailur is not a known property, did you mean "onFailure"\?/,
    ],
    ["goals that are an output", () => of(restore, { goals: pulumi.output({}) }), /^goals is not known before the run/],
    [
      "a name that is no text",
      () => of(restore, {}, { name: { toString: 1 } }),
      /^waves\[0\]\.name is an object, which is not a name/,
    ],
    [
      "a name of digits, which JavaScript would put first",
      () => of(restore, {}, { name: "20" }),
      /^waves\[0\]\.name is "20": put a letter into it/,
    ],
    ["no waves", () => read({ run: "a", waves: [] }), /^waves is empty: give at least one wave/],
    [
      "a restore twice",
      () =>
        read({
          run: "a",
          waves: [
            { name: "a", restores: { db: restore } },
            { name: "b", restores: { DB: restore } },
          ],
        }),
      /^waves\[1\]\.restores\.DB is taken: .* waves\[0\]\.restores\.db has this name already/,
    ],
    [
      "a wave twice",
      () =>
        read({
          run: "a",
          waves: [
            { name: "a", restores: {} },
            { name: "A", restores: {} },
          ],
        }),
      /^waves\[1\]\.name is taken/,
    ],
    [
      "too many restores",
      () => read({ run: "a", waves: [{ name: "a", restores: three }] }),
      /^waves\[0\]\.restores has 3001 restores, and a wave at most 3000: split the wave/,
    ],
    [
      "too many checks",
      () => {
        const checks = Array.from({ length: 20 }, (_, port) => ({ tcp: `db:${String(port + 1)}` }));
        const restores = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`vm${String(at)}`, { ...restore, checks }])); // prettier-ignore
        return read({ run: "a", waves: [{ name: "a", restores }] });
      },
      /^waves\[0\]\.restores has 10020 checks, and a wave at most 10000: split the wave/,
    ],
    ["wait", () => of({ ...restore, wait: false }), new RegExp(`^${path}\\.wait does not apply in a plan`)],
    [
      "an id that is none",
      () => of({ ...restore, virtualMachineId: "a b" }),
      new RegExp(`^${path}\\.virtualMachineId is "a b"`),
    ],
    [
      "no point",
      () => of({ virtualMachineId: 42 }),
      new RegExp(`^${path}\\.recoveryPointId is missing: give it, or a rule`),
    ],
    [
      "point and rule",
      () => of({ ...restore, recoveryPoint: "newest" }),
      /recoveryPoint and recoveryPointId are both given/,
    ],
    [
      "a rule that is none",
      () => of({ virtualMachineId: 42 }, { recoveryPoint: "latest" }),
      /^recoveryPoint is "latest"/,
    ],
    [
      "the time of a point that a rule chooses",
      () => of({ virtualMachineId: 42, recoveryPointTakenAt: at }, { recoveryPoint: "newest" }),
      new RegExp(`^${path}\\.recoveryPointTakenAt is given beside a rule`),
    ],
    [
      "a function in another language",
      () => of(restore, {}, { dependsOn: "dns" }),
      /^waves\[0\]\.dependsOn is for programs in TypeScript/,
    ],
    ["checks that are no list", () => of({ ...restore, checks: {} }), /checks is an object: give a list of checks/],
    ["a check of no kind", () => check({ within: "1m" }), /checks\[0\] needs one of "http", "tcp", "command"/],
    ["a check of two kinds", () => check({ tcp: "a:1", http: "http://a" }), /checks\[0\] has http and tcp: give one/],
    [
      "an option of another kind",
      () => check({ tcp: "a:1", status: 200 }),
      /checks\[0\]\.status does not apply to a check with tcp/,
    ],
    [
      "a password in an address",
      () => check({ http: "https://ada:hunter2@a/" }),
      /checks\[0\]\.http holds a user name or a password/,
    ],
    ["a status that is none", () => check({ http: "http://a", status: [200, 99] }), /checks\[0\]\.status is 99/],
    ["no words of a command", () => check({ command: [] }), /checks\[0\]\.command is an empty list/],
    [
      "a duration that is none",
      () => check({ tcp: "a:1", within: "soon" }),
      /checks\[0\]\.within is "…", which is not a duration/,
    ],
    [
      "two checks of one name",
      () =>
        of({
          ...restore,
          checks: [
            { tcp: "a:1", name: "up" },
            { tcp: "a:2", name: "up" },
          ],
        }),
      /checks\[1\]\.name is "up", the name of another check/,
    ],
  ];
  for (const [what, reading, expected] of wrong) {
    it(`are refused with ${what}`, () => {
      const { problems } = reading();
      assert.equal(problems.length, 1, problems.join("\n"));
      assert.match(problems[0]!, expected);
    });
  }

  it("never quote what a check sends in a problem", () => {
    const { problems } = of({
      ...restore,
      checks: [
        { http: "hunter2://x", headers: { "bad name": "hunter2", x: "hunter2\n", y: ["hunter2"] } },
        { command: ["psql", "hunter2\0"], env: { "A=B": "hunter2" } },
      ],
    });
    assert.equal(problems.length, 6);
    assert.doesNotMatch(problems.join(), /hunter2/);
  });

  it("are read or refused, whatever they are, and never throw", () => {
    const anything = fc.anything({ maxDepth: 4 });
    const wave = fc.record({ name: anything, restores: fc.dictionary(fc.string(), anything) });
    const shaped = fc.record({ run: anything, waves: fc.array(wave), goals: anything }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.oneof(anything, shaped), (args) => {
        const { plan, problems } = read(args);
        assert.ok((plan === undefined) === problems.length > 0);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("the point of a planned restore", () => {
  const rules = fc.oneof(
    fc.constant("newest"),
    fc.record(
      {
        before: fc.constantFrom(at, "2026-11-20T10:30:00+01:00", undefined),
        within: fc.constantFrom("7d", 604_800, "168h", undefined),
        pick: fc.constantFrom("newest", "oldest", "random", undefined),
      },
      { requiredKeys: [] },
    ),
  );
  const inOneForm = (rule: unknown): unknown => {
    const reading = readPointRule(rule);
    return "value" in reading ? reading.value : assert.fail(reading.problem);
  };

  it("is chosen by the nearest rule, and an id of the restore overrides the rules of the wave and of the plan", () => {
    const maybe = fc.option(rules, { nil: undefined });
    fc.assert(
      fc.property(maybe, maybe, maybe, fc.boolean(), (ofPlan, ofWave, own, hasId) => {
        const { plan, problems } = of(
          { virtualMachineId: 42, ...(hasId ? { recoveryPointId: 7 } : { recoveryPoint: own }) },
          { recoveryPoint: ofPlan },
          { recoveryPoint: ofWave },
        );
        const nearest = own ?? ofWave ?? ofPlan;
        if (!hasId && nearest === undefined) return assert.equal(problems.length, 1);
        const { parts } = wavePartsOf(plan!.waves[0]!);
        assert.deepEqual(parts.forms["db"], { machine: "42", point: hasId ? "7" : inOneForm(nearest) });
      }),
    );
  });
});
