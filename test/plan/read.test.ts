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

  it("hold no outputs where they have to be known", () => {
    const { problems } = read({ run: "a", goals: pulumi.output({}), waves: [{ name: "data", restores: {} }] });
    assert.match(problems.join("\n"), /^goals is not known before the run/);
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
