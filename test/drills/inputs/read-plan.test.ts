import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { readPlan, type ReadPlan } from "../../../drills/inputs/read-plan";
import { wavePartsOf } from "../../../drills/inputs/wave-texts";
import { Problems } from "../../../provider/inputs/problems";
import { isOutputOrPromise } from "../../../provider/program/program-values";

const restore = { virtualMachineId: 42, recoveryPointId: 7 };
const at = "2026-11-20T09:30:00Z";

function read(args: unknown): { readonly problems: readonly string[]; readonly plan: ReadPlan | undefined } {
  const problems = new Problems();
  const plan = readPlan(args, { isUnknown: isOutputOrPromise, problems });
  return { plan, problems: problems.all.map(({ reason }) => reason) };
}
const planOf = (db: unknown, more: object = {}, wave: object = {}) => ({
  run: "a",
  waves: [{ name: "data", ...wave, restores: { db } }],
  ...more,
});

describe("a plan's arguments", () => {
  it("are normalized, with defaults", () => {
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
    assert.deepEqual(goals, { recoveryTimeSeconds: 3_600, dataAgeSeconds: 86_400 });
    for (const one of [wholeGoals, plan?.waves[1]?.goals]) assert.deepEqual(one, { recoveryTimeSeconds: 7_200 });
  });

  const waves = (...given: readonly (readonly [name: string, restores: object])[]) => ({
    run: "a",
    waves: given.map(([name, restores]) => ({ name, restores })),
  });
  const ports = (count: number) => Array.from({ length: count }, (_, port) => ({ tcp: `db:${String(port + 1)}` }));
  const many = (count: number, each: readonly object[] = [], last = each) => {
    const all = ports(count).map((_, nth) => [`m${String(nth)}`, { ...restore, checks: nth > 0 ? each : last }]);
    return waves(["a", Object.fromEntries(all) as object]);
  };
  const checks = (...given: readonly object[]) => planOf({ ...restore, checks: given });
  const [machine, point] = [{ virtualMachineId: 42 }, { recoveryPointId: 7 }];
  const timed = { ...machine, recoveryPointTakenAt: at };
  const named = (...all: readonly string[]) => all.map((tcp) => ({ tcp, name: "up" }));
  const noted = (owner: string) => planOf(restore, { notes: { owner } });
  const later = pulumi.output({});

  const wrong: Readonly<Record<string, readonly [args: object, problem: RegExp]>> = {
    "a missing run name": [planOf(restore, { run: undefined }), /^run is missing: expected a string/],
    "an unknown property": [planOf(restore, { onFailur: "stop" }), /^onFailur is not a known .* mean "onFailure"\?/],
    "a failure policy given as an output": [planOf(restore, { onFailure: later }), /^onFailure is not known before/],
    "no machine for a name with a space": [waves(["a", { "web 1": point }]), /\["web 1"\]\.virtual\w+ is missing/],
    "goals given as an output": [planOf(restore, { goals: later }), /^goals is not known before the run/],
    "waves given as an output": [planOf(restore, { waves: later }), /^waves is not known before the run/],
    "a wave's name given as an output": [planOf(restore, {}, { name: later }), /^waves\[0\]\.name is not known before/],
    "restores given as an output": [waves(["a", later]), /^waves\[0\]\.restores is not known before the run/],
    "checks given as an output": [planOf({ ...restore, checks: later }), /^\.checks is not known before the run/],
    "more than 20 checks": [checks(...ports(21)), /^\.checks has 21 checks, but at most 20 are allowed/],
    "a name that is not a string": [planOf(restore, {}, { name: { a: 1 } }), /name is an object, .* valid name/],
    "a numeric name, which JavaScript would put first": [
      planOf(restore, {}, { name: "20" }),
      /"20", which has a special/,
    ],
    "a name that every object has": [waves(["a", { toString: restore }]), /"toString", which has a special/],
    "a wave that is not an object": [{ run: "a", waves: ["data"] }, /^waves\[0\] is "data"/],
    "restores in a map": [waves(["a", new Map()]), /^waves\[0\]\.restores is not a plain object/],
    "an empty list of waves": [waves(), /^waves needs a list of at least one wave/],
    "a duplicate restore": [waves(["a", { db: restore }], ["b", { DB: restore }]), /^waves\[1\].restores.DB is taken/],
    "a duplicate wave": [waves(["a", {}], ["A", {}]), /^waves\[1\]\.name is taken/],
    "too many restores": [many(3_001), /^waves\[0\].restores has 3001 restores, but the limit is 3000: split the wave/],
    "too many checks": [many(501, ports(20)), /\.restores has 10020 checks, but the limit is 10000: split the wave/],
    "a wait option": [planOf({ ...restore, wait: false }), /^\.wait is not a known property/],
    "an invalid id": [planOf({ ...restore, virtualMachineId: "a b" }), /^\.virtualMachineId is "a b"/],
    "neither a point nor a rule": [planOf(machine), /^\.recoveryPointId is missing: set it, or a rule/],
    "both a point and a rule": [planOf({ ...restore, recoveryPoint: "newest" }), /and recoveryPointId are both set/],
    "an invalid rule": [planOf(machine, { recoveryPoint: "latest" }), /^recoveryPoint is "latest"/],
    "a time for a point that a rule chooses": [planOf(timed, { recoveryPoint: "newest" }), / does not apply to a rule/],
    "a dependsOn from another language": [planOf(restore, {}, { dependsOn: "dns" }), /works only in TypeScript/],
    "checks that are not a list": [planOf({ ...restore, checks: {} }), /checks is an object: use a list of checks/],
    "a control character in a note": [noted("bell \u{7}"), /^notes\.owner contains a control character/],
    "two checks with the same name": [checks(...named("a:1", "a:2")), /checks\[1\]\.name is "up", the name of another/],
  };
  const wrongChecks: Readonly<Record<string, readonly [check: object, problem: RegExp]>> = {
    "a check without a kind": [{ within: "1m" }, /^ needs one of "http", "tcp", "command"/],
    "a check with two kinds": [{ tcp: "a:1", http: "http://a" }, /^\.tcp does not apply to http checks/],
    "an option of another kind of check": [{ tcp: "a:1", status: 200 }, /^\.status does not apply to tcp checks/],
    "a tcp address with an impossible port": [{ tcp: "db:65536" }, /^\.tcp is "…": use a host and a port/],
    "a tcp address that is not one in brackets": [{ tcp: "[1:2]:3" }, /^\.tcp is "…": use a host and a port/],
    "a tcp address without a port": [{ tcp: "db" }, /^\.tcp is "db": use a host and a port/],
    "a relative file": [{ http: "http://a", caFile: "ca.pem" }, /^\.caFile is "…": use an absolute path/],
    "headers that are not an object": [{ http: "http://a", headers: "x" }, /^\.headers is/],
    "a password in an address": [{ http: "https://ada:hunter2@a/" }, /^\.http contains a user name or a password/],
    "a status that is never final": [{ http: "http://a", status: 102 }, /^\.status is 102: .* from 200 to 599/],
    "an invalid status": [{ http: "http://a", status: [200, 600] }, /^\.status is 600/],
    "an empty command": [{ command: [] }, /^\.command needs the command and its arguments as a list/],
    "a command whose name is empty": [{ command: [" "] }, /^\.command\[0\] is empty: name the command/],
    "a number in a command": [{ command: ["kill", 9] }, /^\.command\[1\] is not a string/],
    "an invalid duration": [{ tcp: "a:1", within: "soon" }, /^\.within is "…", which is not a duration/],
    "a number in a command's environment": [{ command: ["a"], env: { WORD: 5 } }, /^\.env\.WORD is not a string/],
  };
  /** What has a limit, the limit, and the arguments that have this much of it. */
  const limits: readonly (readonly [what: string, most: number, make: (size: number) => object])[] = [
    ["characters of a run's name", 200, (size) => planOf(restore, { run: "x".repeat(size) })],
    ["characters of a note", 2_000, (size) => noted("x".repeat(size))],
    ["characters of a wave's name", 60, (size) => planOf(restore, {}, { name: "x".repeat(size) })],
    ["characters of a check's name", 100, (size) => checks({ tcp: "a:1", name: "x".repeat(size) })],
    ["characters of a file's name", 4_096, (size) => checks({ http: "https://a", caFile: "/".padEnd(size, "x") })],
    ["seconds of a data age goal", 3_660 * 86_400, (size) => planOf(restore, { goals: { dataAge: size } })],
    ["seconds of a check", 24 * 86_400, (size) => checks({ tcp: "a:1", within: size })],
    ["restores of a wave", 3_000, many],
    ["checks of a restore", 20, (size) => checks(...ports(size))],
    ["checks of a wave", 10_000, (size) => many(501, ports(20), ports(size - 10_000))],
  ];
  for (const [what, most, make] of limits)
    it(`may have at most ${String(most)} ${what}`, () => {
      assert.deepEqual(read(make(most)).problems, []);
      assert.equal(read(make(most + 1)).problems.length, 1);
    });

  const rejected = (what: string, args: object, path: string, expected: RegExp) =>
    it(`are rejected because of ${what}`, () => {
      const { problems } = read(args);
      assert.equal(problems.length, 1, problems.join("\n"));
      assert.match(problems[0]!.replace(path, ""), expected);
    });
  for (const [what, [args, problem]] of Object.entries(wrong)) rejected(what, args, "waves[0].restores.db", problem);
  for (const [what, [check, problem]] of Object.entries(wrongChecks))
    rejected(what, checks(check), "waves[0].restores.db.checks[0]", problem);

  it("are never quoted in an error message if a check sends them", () => {
    const { problems } = read(
      checks(
        { http: "hunter2://x", headers: { "bad name": "hunter2", x: "hunter2\n", y: ["hunter2"] } },
        { command: ["psql", "hunter2\0"], env: { "A=B": "hunter2" } },
      ),
    );
    assert.equal(problems.length, 6);
    assert.doesNotMatch(problems.join(), /hunter2/);
  });

  it("are always either accepted or rejected, and never cause an exception", () => {
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

it("a planned restore is left out of its wave if a value that was unknown turns out to be invalid, and the problem quotes the value", () => {
  const restores = { db: { ...restore, virtualMachineId: "a b" } };
  const { parts, problems } = wavePartsOf({ name: "data", path: "waves[0].restores", restores });
  assert.match(problems[0]!.reason, /^waves\[0\]\.restores\.db\.virtualMachineId is "a b"/);
  assert.deepEqual(parts.forms, {});
});

it("a planned restore's recovery point is chosen by the nearest rule, but an id on the restore overrides the rules of its wave and plan", () => {
  const oldest = { pick: "oldest" };
  const ofPlan = { before: "2026-11-20T10:30:00+01:00", within: "7d", pick: "random" };
  for (const [db, ofWave, expected] of [
    [{ recoveryPointId: 7 }, oldest, { point: "7" }],
    [{ recoveryPoint: "newest" }, oldest, { point: { pick: "newest" } }],
    [{}, oldest, { point: oldest, isInherited: true }],
    [{}, undefined, { point: { pick: "random", before: at, within: 604_800 }, isInherited: true }],
  ]) {
    const all = planOf({ virtualMachineId: 42, ...db }, { recoveryPoint: ofPlan }, { recoveryPoint: ofWave });
    assert.deepEqual(wavePartsOf(read(all).plan!.waves[0]!).parts.forms["db"], { machine: "42", ...expected });
  }
});
