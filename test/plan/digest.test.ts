import assert from "node:assert/strict";
import * as fc from "fast-check";
import { canonical, changedPaths as pathsOf, digestOf as digestOfAll, isChanged } from "../../provider/plan/digest";
import { hashesOf, madeForHash, newKey } from "../../provider/plan/made-for";
import type { StoredPlan } from "../../provider/plan/stored";
import { runOf, restoreAsGiven } from "./support/stored-plans";

const { asGiven } = runOf(["db", "web"]);
const digestOf = (plan: unknown): string => digestOfAll({ asGiven: plan });
const changedPaths = (before: unknown, after: unknown): readonly string[] =>
  pathsOf({ asGiven: before }, { asGiven: after });

describe("the digest of a plan", () => {
  it("does not depend on the order of properties, but on the order of waves", () => {
    const turned = Object.fromEntries(Object.entries(asGiven).reverse()) as typeof asGiven;
    assert.equal(digestOf(turned), digestOf(asGiven));
    assert.match(digestOf(asGiven), /^sha256:[0-9a-f]{64}$/);
    const two = { ...asGiven, waves: [...asGiven.waves, { name: "front", restores: {} }] };
    assert.notEqual(digestOf({ ...two, waves: [...two.waves].reverse() }), digestOf(two));
  });

  it("ignores triggers: to try a machine again is no other plan", () => {
    const again = {
      ...asGiven,
      waves: [{ name: "data", restores: { db: { ...restoreAsGiven, triggers: [2] }, web: restoreAsGiven } }],
    };
    assert.equal(digestOf(again), digestOf(asGiven));
    assert.deepEqual(changedPaths(asGiven, again), []);
  });

  it("recognizes a restore by its own inputs, not by the names of others", () => {
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

  it("differs if and only if there are changed paths", () => {
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

  it("of a changed point gives its path", () => {
    const changed = {
      ...asGiven,
      waves: [{ name: "data", restores: { db: { ...restoreAsGiven, recoveryPointId: "8" }, web: restoreAsGiven } }],
    };
    assert.deepEqual(changedPaths(asGiven, changed), ["waves[0].restores.db.recoveryPointId"]);
  });
});

describe("the hidden parts of a plan", () => {
  const plan = runOf([], {
    waves: [
      {
        name: "data",
        restores: {
          db: {
            ...restoreAsGiven,
            checks: [{ kind: "http", target: "https://a/", everySeconds: 5, withinSeconds: 300, afterSeconds: 0 }],
          },
        },
      },
    ],
  }).asGiven;
  const key = newKey();
  const target = { kind: "VmRestore", virtualMachineId: 42, recoveryPointId: "7", triggers: ["first"] };
  const probe = { http: "https://a/?a=1", contains: "ok", status: 200, headers: { authorization: "x" }, caFile: "/ca" };
  const asked = (more: object = {}, of: object = target, by = key) => ({
    asGiven: plan,
    hashes: hashesOf(by, { db: { target: of, probes: [{ ...probe, ...more }] } }),
    key: by,
  });

  for (const [what, change] of Object.entries({
    contains: { contains: "yes" },
    status: { status: 500 },
    headers: { headers: { authorization: "y" } },
    caFile: { caFile: "/other" },
    "the query of an address": { http: "https://a/?a=2" },
    "a word of a command past what is shown": { command: ["x".repeat(300), "y"] },
    env: { env: { TOKEN: "z" } },
  })) {
    it(`shows a change of ${what}, with the check's path, and never the value`, () => {
      const [before, after] = [asked(), asked(change)];
      assert.equal(isChanged(before, after), true);
      assert.notEqual(digestOfAll(before), digestOfAll(after));
      assert.deepEqual(pathsOf(before, after), ["waves[0].restores.db.checks[0]"]);
      assert.match(digestOfAll(after), /^v2:sha256:[0-9a-f]{64}$/);
      assert.match(
        JSON.stringify(after.hashes),
        /^\{"db":\{"madeFor":"[0-9a-f]{32}","restores":"[0-9a-f]{32}","checks":\["[0-9a-f]{32}"\]\}\}$/,
      );
    });
  }

  it("is the same in another spelling, and for other triggers", () => {
    const again = asked({}, { ...target, virtualMachineId: "42", triggers: ["second", 1] });
    assert.equal(isChanged(asked(), again), false);
    assert.equal(digestOfAll(asked()), digestOfAll(again));
    assert.deepEqual(
      isChanged(asked(), asked({}, { ...target, virtualMachineId: 43 })),
      true,
      "a machine that is a secret",
    );
  });

  it("is unknown, and not changed, if the key was lost or an earlier release stored none", () => {
    for (const before of [asked({}, target, newKey()), { asGiven: plan }, { ...asked(), key: undefined }]) {
      assert.equal(isChanged(before, asked()), undefined);
      assert.deepEqual(pathsOf(before, asked()), []);
    }
    assert.equal(isChanged({ asGiven }, { ...asked(), asGiven }), false, "all of a plan without checks is shown");
  });

  it("have a hash that covers kind, machine, point, paths in any order and triggers", () => {
    const files = { virtualMachineId: "42", recoveryPointId: "7", paths: ["/a", "/b"], triggers: ["first"] };
    const hash = madeForHash(key, "FileRestore", files);
    assert.equal(madeForHash(key, "FileRestore", { ...files, virtualMachineId: 42, paths: ["/b", "/a"] }), hash);
    for (const change of [
      { virtualMachineId: "43" },
      { recoveryPointId: "8" },
      { paths: ["/a"] },
      { triggers: ["second"] },
      { triggers: ["first", 1] },
    ])
      assert.notEqual(madeForHash(key, "FileRestore", { ...files, ...change }), hash);
    assert.notEqual(madeForHash(key, "VmRestore", files), hash);
    assert.equal(madeForHash(key, "VmRestore", { virtualMachineId: {} }), undefined, "what cannot be right has none");
  });
});
