import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { Problems } from "../../provider/inputs/problems";
import { readPlan } from "../../provider/inputs/read-plan";
import { isOutputOrPromise } from "../../provider/program/program-values";

const restore = { virtualMachineId: 42, recoveryPointId: 7 };

function read(args: unknown): { readonly problems: readonly string[]; readonly plan: ReturnType<typeof readPlan> } {
  const problems = new Problems();
  const plan = readPlan(args, { isUnknown: isOutputOrPromise, problems });
  return { plan, problems: problems.all.map(({ reason }) => reason) };
}

const withRestore = (changes: object): unknown => ({
  run: "a",
  waves: [{ name: "data", restores: { db: { ...restore, ...changes } } }],
});
const withCheck = (check: unknown): unknown => withRestore({ checks: [check] });

describe("the arguments of a plan", () => {
  it("are read into one spelling, with defaults", () => {
    const { plan, problems } = read({
      run: "2026-Q4",
      goals: { recoveryTime: "1h", dataAge: "24h" },
      waves: [
        { name: "data", restores: { db: { ...restore, checks: [{ tcp: "10.0.0.43:5432", within: "5m" }] } } },
        { name: "front", goals: { recoveryTime: 7_200 }, restores: { content: { ...restore, paths: ["/var/www"] } } },
      ],
      wholeGoals: { recoveryTime: "2h" },
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(plan?.goals, { recoveryTimeSeconds: 3_600, dataAgeSeconds: 86_400 });
    assert.deepEqual([plan?.kind, plan?.onFailure, plan?.onMissedGoal], ["drill", "stop", "fail"]);
    assert.deepEqual(
      plan?.waves.flatMap(({ restores }) => restores.map(({ name, kind }) => [name, kind])),
      [
        ["db", "VmRestore"],
        ["content", "FileRestore"],
      ],
    );
    assert.deepEqual(plan?.waves[0]?.restores[0]?.checks[0]?.times, {
      everySeconds: 5,
      withinSeconds: 300,
      afterSeconds: 0,
    });
  });

  it("may have a wave without restores: all of them were taken out within the run", () => {
    const { plan, problems } = read({ run: "a", waves: [{ name: "data", restores: {} }] });
    assert.deepEqual(
      [plan?.waves, problems].map((each) => each?.length),
      [1, 0],
    );
  });

  const wrong: readonly [string, unknown, ...RegExp[]][] = [
    ["no plan", undefined, /is missing: give an object/],
    ["no run", { waves: [] }, /^run is missing/, /^waves is empty/],
    ["a typo", { run: "a", wave: [], waves: [] }, /^wave is not a known property, did you mean "waves"\?/],
    ["a list of restores", { run: "a", waves: [{ name: "data", restores: [] }] }, /^waves\[0\]\.restores is a list/],
    ["a wave without a name", { run: "a", waves: [{ restores: { db: restore } }] }, /^waves\[0\]\.name is missing/],
    [
      "a name twice",
      {
        run: "a",
        waves: [
          { name: "x", restores: { db: restore } },
          { name: "X", restores: { DB: restore } },
        ],
      },
      /^waves\[1\]\.name is taken/,
      /^waves\[1\]\.restores\.DB is taken: .* waves\[0\]\.restores\.db has it/,
    ],
    [
      "a strange name",
      { run: "a", waves: [{ name: "x", restores: { "a::b": restore } }] },
      /^waves\[0\]\.restores\["a::b"\] is .* not a name/,
    ],
    ...["constructor", "toString", "valueOf", "hasOwnProperty"].map((name): [string, unknown, RegExp] => [
      `a restore of the name ${name}`,
      { run: "a", waves: [{ name: "x", restores: { [name]: restore } }] },
      new RegExp(`^waves\\[0\\]\\.restores\\.${name} is .* every JavaScript object has`),
    ]),
    [
      "a restore of the name __proto__",
      { run: "a", waves: [{ name: "x", restores: JSON.parse('{"__proto__": {}}') as object }] },
      /^waves\[0\]\.restores\.__proto__ is .* not a name/,
    ],
    // Its properties cannot be read, so a goal would be ignored.
    [
      "goals as a map",
      { ...(withRestore({}) as object), goals: new Map([["recoveryTime", "1h"]]) },
      /^goals is not a plain object/,
    ],
    ["goals as a date", withRestore({ goals: new Date() }), /^waves\[0\]\.restores\.db\.goals is not a plain object/],
    [
      "headers as a map",
      withCheck({ http: "http://a", headers: new Map([["a", "b"]]) }),
      /checks\[0\]\.headers is not a plain object: give one/,
    ],
    [
      "restores as a map",
      { run: "a", waves: [{ name: "x", restores: new Map([["db", restore]]) }] },
      /^waves\[0\]\.restores is not a plain object/,
    ],
    [
      "an id that is none",
      withRestore({ virtualMachineId: "a/b" }),
      /^waves\[0\]\.restores\.db\.virtualMachineId is "a\/b", which is not an id/,
    ],
    ["wait", withRestore({ wait: true }), /^waves\[0\]\.restores\.db\.wait does not apply in a plan/],
    [
      "a typo in a restore",
      withRestore({ trigger: [] }),
      /^waves\[0\]\.restores\.db\.trigger is not a known property, .* "triggers"/,
    ],
    [
      "paths without a slash",
      withRestore({ paths: ["etc"] }),
      /^waves\[0\]\.restores\.db\.paths\[0\] does not start with/,
    ],
    [
      "a stamp without a zone",
      withRestore({ recoveryPointTakenAt: "2026-11-20 02:00" }),
      /recoveryPointTakenAt is .* with its zone/,
    ],
    [
      "a day that no month has",
      withRestore({ recoveryPointTakenAt: "2026-02-31T02:00:00Z" }),
      /recoveryPointTakenAt is "2026-02-31T02:00:00Z": give a time/,
    ],
    [
      "a goal that is none",
      withRestore({ goals: { recoveryTime: "soon" } }),
      /^waves\[0\]\.restores\.db\.goals\.recoveryTime is "soon", which is not a duration/,
    ],
    [
      "a whole data age",
      { ...(withRestore({}) as object), wholeGoals: { dataAge: "1h" } },
      /^wholeGoals\.dataAge is not a known property/,
    ],
    [
      "another word",
      { ...(withRestore({}) as object), onFailure: "halt" },
      /^onFailure is "halt": give "stop" or "continue"/,
    ],
    [
      "an unknown goal",
      { ...(withRestore({}) as object), goals: pulumi.output({}) },
      /^goals is not known before the run/,
    ],
    [
      "a check of nothing",
      withCheck({ within: "1m" }),
      /^waves\[0\]\.restores\.db\.checks\[0\] needs one of "http", "tcp" or "command"/,
    ],
    ["a check of two things", withCheck({ tcp: "a:1", http: "http://a" }), /has http and tcp/],
    ["another protocol", withCheck({ http: "ftp://a" }), /^waves\[0\]\.restores\.db\.checks\[0\]\.http is "ftp:\/\/a"/],
    [
      "a password in an address",
      withCheck({ http: "https://u:hunter2@a/" }),
      /checks\[0\]\.http holds a user name or a password/,
    ],
    [
      "a status of tcp",
      withCheck({ tcp: "a:1", status: 200 }),
      /checks\[0\]\.status does not apply to a check with tcp/,
    ],
    ["no port", withCheck({ tcp: "db" }), /checks\[0\]\.tcp is "db": give a host and a port/],
    ["port 0", withCheck({ tcp: "db:0" }), /checks\[0\]\.tcp/],
    ["a shell line", withCheck({ command: "ssh web true" }), /checks\[0\]\.command is .* as a list/],
    ["a word that is none", withCheck({ command: ["ssh", 1] }), /checks\[0\]\.command\[1\] is no text/],
    [
      "a command as one text",
      withCheck({ command: "psql -w canary" }),
      /checks\[0\]\.command is no list: (?!.*canary)/,
    ],
    ["a name that is none", withCheck({ tcp: "a:1", name: "" }), /checks\[0\]\.name is "": give a text/],
    [
      "a name that is too long",
      withCheck({ tcp: "a:1", name: "x".repeat(101) }),
      /checks\[0\]\.name is longer than 100/,
    ],
    ["a status that is none", withCheck({ http: "http://a", status: 42 }), /checks\[0\]\.status is 42/],
    ["no time", withCheck({ http: "http://a", every: 0 }), /checks\[0\]\.every is 0, but must be at least 1s/],
    [
      "a header with a line break",
      withCheck({ http: "http://a", headers: { a: "b\r\nc: d" } }),
      /checks\[0\]\.headers\.a holds a character/,
    ],
    ["a relative file", withCheck({ http: "https://a", caFile: "ca.pem" }), /checks\[0\]\.caFile .* full path/],
    [
      "a typo in a check",
      withCheck({ http: "http://a", contain: "x" }),
      /checks\[0\]\.contain is not a known property, .* "contains"/,
    ],
  ];
  for (const [what, args, ...expected] of wrong) {
    it(`with ${what} are refused, with the path`, () => {
      const { problems, plan } = read(args);
      assert.equal(plan, undefined);
      for (const one of expected)
        assert.ok(
          problems.some((problem) => one.test(problem.trim())),
          problems.join("\n"),
        );
    });
  }

  it("never repeat a header's value", () => {
    const { problems } = read(withCheck({ http: "http://a", headers: { authorization: "Bearer hunter2\u0007" } }));
    assert.doesNotMatch(problems.join("\n"), /hunter2/);
  });

  it("may hold outputs in their leaves", () => {
    const later = pulumi.output("later");
    const { problems, plan } = read({
      run: later,
      incidentAt: later,
      notes: { owner: later },
      waves: [
        {
          name: "data",
          restores: {
            db: {
              virtualMachineId: later,
              recoveryPointId: later,
              recoveryPointTakenAt: later,
              paths: [later],
              triggers: [later],
              checks: [
                { http: later, headers: { authorization: later }, status: later, contains: later },
                { tcp: later },
                { command: ["ssh", later], env: { TOKEN: later } },
              ],
            },
          },
        },
      ],
    });
    assert.deepEqual(problems, []);
    assert.equal(plan?.waves[0]?.restores[0]?.checks.length, 3);
    assert.equal(plan?.waves[0]?.restores[0]?.checks[0]?.probe, undefined);
  });

  it("are refused, and do not throw, when a name is nothing that could be written out", () => {
    const { plan, problems } = read({ run: "first", waves: [{ name: { toString: 0 }, restores: {} }] });
    assert.equal(plan, undefined);
    assert.match(problems.join("\n"), /waves\[0\]\.name/);
  });

  it("are read or refused, whatever they are, and never throw", () => {
    const anything = fc.anything({ maxDepth: 4 });
    const shaped = fc.record(
      {
        run: anything,
        waves: fc.array(fc.record({ name: anything, restores: fc.dictionary(fc.string(), anything) })),
        goals: anything,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anything, shaped), (args) => {
        const { plan, problems } = read(args);
        assert.ok((plan === undefined) === problems.length > 0);
      }),
      { numRuns: 1_000 },
    );
  });
});
