import assert from "node:assert/strict";
import * as fc from "fast-check";
import { canonical, changedPaths, digestOf } from "../../provider/plan/digest";
import type { StoredPlan } from "../../provider/plan/stored";
import { runOf, restoreAsGiven } from "./support/stored-plans";

const { asGiven } = runOf(["db", "web"]);

describe("the digest of a plan", () => {
  it("is the same for the same plan, whatever the order of its properties, and never for another order of waves", () => {
    const turned = Object.fromEntries(Object.entries(asGiven).reverse()) as typeof asGiven;
    assert.equal(digestOf(turned), digestOf(asGiven));
    assert.match(digestOf(asGiven), /^sha256:[0-9a-f]{64}$/);
    const two = { ...asGiven, waves: [...asGiven.waves, { name: "front", restores: {} }] };
    assert.notEqual(digestOf({ ...two, waves: [...two.waves].reverse() }), digestOf(two));
  });

  it("knows nothing of triggers: to try a machine again is no other plan", () => {
    const again = {
      ...asGiven,
      waves: [{ name: "data", restores: { db: { ...restoreAsGiven, triggers: [2] }, web: restoreAsGiven } }],
    };
    assert.equal(digestOf(again), digestOf(asGiven));
    assert.deepEqual(changedPaths(asGiven, again), []);
  });

  it("knows a restore by what it has, and not by the names of those beside it", () => {
    const named = (recoveryPointId: string): StoredPlan =>
      runOf([], {
        waves: [
          {
            name: "data",
            restores: { virtualMachineId: restoreAsGiven, triggers: { ...restoreAsGiven, recoveryPointId } },
          },
        ],
      }).asGiven;
    assert.notEqual(digestOf(named("7")), digestOf(named("8")));
    assert.deepEqual(changedPaths(named("7"), named("8")), ["waves[0].restores.triggers.recoveryPointId"]);
  });

  it("differs wherever the paths tell a difference, and nowhere else", () => {
    const plans = fc.record({
      onFailure: fc.constantFrom("stop" as const, "continue" as const),
      onMissedGoal: fc.constantFrom("fail" as const, "warn" as const),
      waves: fc.array(
        fc.record({
          name: fc.constantFrom("a", "b"),
          restores: fc.dictionary(
            fc.constantFrom("x", "y"),
            fc.record({
              virtualMachineId: fc.constantFrom("1", "2"),
              recoveryPointId: fc.constant("7"),
              checks: fc.constant([]),
            }),
            { noNullPrototype: true },
          ),
        }),
        { maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(plans, plans, (a, b) => {
        assert.equal(digestOf(a) === digestOf(b), changedPaths(a, b).length === 0);
        assert.deepEqual(canonical(canonical(a)), canonical(a));
      }),
    );
  });

  it("of a changed point is told with its path", () => {
    const changed = {
      ...asGiven,
      waves: [{ name: "data", restores: { db: { ...restoreAsGiven, recoveryPointId: "8" }, web: restoreAsGiven } }],
    };
    assert.deepEqual(changedPaths(asGiven, changed), ["waves[0].restores.db.recoveryPointId"]);
  });
});
