import assert from "node:assert/strict";
import * as fc from "fast-check";
import { checkRestore } from "../../provider/inputs/check-restore";
import { diffIntent, diffRestore, type DiffResult } from "../../provider/engine/diff-restore";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const intent = { id: "intent-1", urn: "urn:a", mark: { panel: "x", firstPageIds: [] }, after: "none" };
const inputs = { virtualMachineId: "42", recoveryPointId: "7", triggers: ["a"], intent, __provider: "text" };
const stored = (status: unknown, more: object = {}) => ({
  ...inputs,
  transactionId: "5010",
  transactionIds: ["5010"],
  status,
  ...more,
});

/** The engine compares the inputs by itself and shows which of them differ. */
const engineDecides: DiffResult = {};
const nothing: DiffResult = { changes: false };
const update: DiffResult = { changes: true };
const retry: DiffResult = { changes: true, replaces: ["status"] };
const newRestore = (...replaces: string[]): DiffResult => ({ replaces });

describe("diff of a restore", () => {
  const byInputs: readonly [string, object, object, DiffResult][] = [
    ["equal inputs", {}, {}, nothing],
    ["another machine", {}, { virtualMachineId: "43" }, newRestore("virtualMachineId")],
    ["a machine not known yet", {}, { virtualMachineId: unknown }, newRestore("virtualMachineId")],
    ["another recovery point", {}, { recoveryPointId: "8" }, newRestore("recoveryPointId")],
    ["other triggers", {}, { triggers: ["b"] }, newRestore("triggers")],
    ["a trigger not known yet, deep inside", {}, { triggers: [{ a: [unknown] }] }, newRestore("triggers")],
    ["triggers in another order", { triggers: [1, 2] }, { triggers: [2, 1] }, newRestore("triggers")],
    [
      "a trigger with its keys in another order",
      { triggers: [{ a: 1, b: 2 }] },
      { triggers: [{ b: 2, a: 1 }] },
      nothing,
    ],
    ["triggers gone", {}, { triggers: undefined }, newRestore("triggers")],
    ["an empty list of triggers in place of none", { triggers: undefined }, { triggers: [] }, nothing],
    ["other paths", { paths: ["/a"] }, { paths: ["/a", "/b"] }, newRestore("paths")],
    ["paths in another order", { paths: ["/a", "/b"] }, { paths: ["/b", "/a"] }, engineDecides],
    ["two that replace", {}, { virtualMachineId: "43", triggers: [] }, newRestore("virtualMachineId", "triggers")],
    ["zeros taken off an id", { virtualMachineId: "042" }, {}, engineDecides],
    ["zeros taken off a point", { recoveryPointId: "007" }, {}, engineDecides],
    ["zeros in the middle of an id", { virtualMachineId: "4002" }, {}, newRestore("virtualMachineId")],
    ["zeros in front of a name", { virtualMachineId: "0a" }, { virtualMachineId: "a" }, newRestore("virtualMachineId")],
    ["a limit of Pulumi's own", {}, { customTimeouts: { create: 60 } }, engineDecides],
    ["new limits", {}, { timeouts: { run: 60 } }, engineDecides],
    ["limits gone", { timeouts: { run: 60 } }, {}, engineDecides],
    [
      "limits with their keys in another order",
      { timeouts: { run: 60, busy: 1 } },
      { timeouts: { busy: 1, run: 60 } },
      nothing,
    ],
    ["wait said aloud", {}, { wait: false }, engineDecides],
    ["another adopt", {}, { adopt: "5010" }, engineDecides],
    ["another retryFailed", {}, { retryFailed: false }, engineDecides],
    ["another captureLog", {}, { captureLog: "never" }, engineDecides],
    ["another text of the provider", {}, { __provider: "newer" }, engineDecides],
    ["another intent", {}, { intent: { ...intent, id: "intent-2" } }, engineDecides],
    ["an intent not known yet", {}, { intent: { ...intent, id: unknown, mark: unknown } }, engineDecides],
    ["an intent that is not there", {}, { intent: undefined }, engineDecides],
    ["another predecessor", { predecessor: { intentId: "a" } }, { predecessor: { intentId: "b" } }, nothing],
    ["a predecessor not known yet", {}, { predecessor: unknown }, nothing],
    ["the same intent under another name", {}, { intent: { ...intent, urn: "urn:b" } }, nothing],
  ];
  for (const [what, olds, news, expected] of byInputs) {
    it(`of a complete one, for ${what}: ${said(expected)}`, () => {
      assert.deepEqual(diffRestore(stored("complete", olds), { ...inputs, ...news }), expected);
    });
  }

  const byStatus: readonly [unknown, object, DiffResult][] = [
    ["failed", {}, retry],
    ["failed", { retryFailed: true }, retry],
    ["failed", { retryFailed: false }, update],
    ["failed", { wait: false }, retry],
    ["failed", { triggers: ["b"] }, newRestore("triggers")],
    ["cancelled", {}, update],
    ["cancelled", { wait: false }, update],
    ["cancelled", { retryFailed: true }, update],
    ["cancelled", { triggers: ["b"] }, newRestore("triggers")],
    ["accepted", {}, update],
    ["unknown", {}, update],
    ["pending", {}, update],
    ["running", {}, update],
    ["running", { wait: true, timeouts: { run: 5 } }, update],
    ["running", { wait: unknown }, update],
    ["running", { recoveryPointId: "8" }, newRestore("recoveryPointId")],
    ["running", { virtualMachineId: "042" }, update],
    ["running", { wait: false }, engineDecides],
    ["a word of a later release", {}, update],
    [undefined, {}, update],
    [7, {}, update],
  ];
  for (const [status, news, expected] of byStatus) {
    it(`of a ${String(status)} one with ${JSON.stringify(news)}: ${said(expected)}`, () => {
      assert.deepEqual(diffRestore(stored(status), { ...inputs, ...news }), expected);
    });
  }

  it("looks for one that is unconfirmed, whatever is waited for", () => {
    for (const status of ["accepted", "unknown"]) {
      assert.deepEqual(
        diffRestore(stored(status, { wait: false, transactionIds: [] }), { ...inputs, wait: false }),
        update,
      );
    }
  });

  it("passes over what an intent stands behind, and the restore before it", () => {
    const behind = {
      ...inputs,
      intent: { ...intent, after: "intent-0" },
      predecessor: { urn: "urn:b", status: "failed" },
    };
    assert.deepEqual(diffRestore(stored("complete"), behind), nothing);
  });

  it("leaves an unfinished one alone that nobody wants to wait for", () => {
    assert.deepEqual(diffRestore(stored("running", { wait: false }), { ...inputs, wait: false }), nothing);
  });

  it("looks for one that is unconfirmed, whatever is waited for", () => {
    for (const transactionIds of [[], undefined, "5010"]) {
      for (const status of ["accepted", "unknown", "pending"]) {
        const unconfirmed = stored(status, { wait: false, transactionIds });
        assert.deepEqual(diffRestore(unconfirmed, { ...inputs, wait: false }), update);
      }
    }
  });

  const plain = fc.jsonValue({ maxDepth: 3 });
  const anyInputs = fc.record(
    {
      virtualMachineId: fc.nat(3).map(String),
      recoveryPointId: fc.nat(3).map(String),
      triggers: fc.array(plain, { maxLength: 3 }),
      timeouts: fc.dictionary(fc.constantFrom("run", "busy"), fc.nat(5)),
      wait: fc.boolean(),
      retryFailed: fc.boolean(),
    },
    { requiredKeys: ["virtualMachineId", "recoveryPointId"] },
  );

  it("finds nothing between a complete restore and its own inputs, however their keys are ordered", () => {
    fc.assert(
      fc.property(anyInputs, (given) => {
        const checked = checkRestore("VmRestore")({}, given).inputs;
        assert.deepEqual(diffRestore({ status: "complete", ...reversed(checked) }, checked), nothing);
      }),
    );
  });

  it("never calls what has not ended well unchanged, unless nobody waits", () => {
    const statuses = fc.constantFrom("failed", "cancelled", "accepted", "unknown", "pending", "running");
    fc.assert(
      fc.property(anyInputs, anyInputs, statuses, (olds, news, status) => {
        const isListed = status === "pending" || status === "running";
        const transactionIds = isListed ? ["5010"] : [];
        const unwatched = news.wait === false && isListed;
        const result = diffRestore({ ...olds, status, transactionIds }, news);
        assert.ok(unwatched || result.changes === true || (result.replaces ?? []).length > 0);
      }),
    );
  });

  describe("with a rule for its recovery point", () => {
    const newest = { pick: "newest" };
    const byRule = { ...inputs, recoveryPoint: newest, recoveryPointTakenAt: "2026-11-20T02:00:00Z" };
    const without = (given: object, ...names: string[]): object =>
      Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
    const ruled: readonly [string, object, object, DiffResult][] = [
      ["the same rule and point", byRule, byRule, nothing],
      ["another rule", byRule, { ...byRule, recoveryPoint: { pick: "oldest" } }, newRestore("recoveryPoint")],
      ["a rule not known yet", byRule, { ...byRule, recoveryPoint: unknown }, newRestore("recoveryPoint")],
      [
        "a part of it not known yet",
        byRule,
        { ...byRule, recoveryPoint: { before: unknown } },
        newRestore("recoveryPoint"),
      ],
      ["a choice not made yet", byRule, { ...byRule, recoveryPointId: unknown }, newRestore("recoveryPointId")],
      ["another choice", byRule, { ...byRule, recoveryPointId: "8" }, newRestore("recoveryPointId")],
      ["a rule instead of an id", inputs, byRule, newRestore("recoveryPoint")],
      ["the very id that it chose instead of the rule", byRule, inputs, engineDecides],
      ["another id instead of the rule", byRule, { ...inputs, recoveryPointId: "8" }, newRestore("recoveryPointId")],
      ["an id not known yet instead", byRule, { ...inputs, recoveryPointId: unknown }, newRestore("recoveryPointId")],
      [
        "no choice, because adopt names a transaction",
        without(byRule, "recoveryPointId", "recoveryPointTakenAt"),
        without(byRule, "recoveryPointId", "recoveryPointTakenAt"),
        nothing,
      ],
      [
        "a state of a rule that somebody has spelled otherwise",
        { ...byRule, recoveryPoint: "newest" },
        byRule,
        engineDecides,
      ],
    ];
    for (const [what, olds, news, expected] of ruled) {
      it(`for ${what}: ${said(expected)}`, () => {
        assert.deepEqual(diffRestore({ ...olds, status: "complete" }, { ...news }), expected);
      });
    }
  });

  it("replaces a restore exactly when it replaces its intent, but for a retry", () => {
    fc.assert(
      fc.property(anyInputs, anyInputs, fc.constantFrom("complete", "running", "cancelled"), (olds, news, status) => {
        const ofRestore = diffRestore({ ...olds, status }, news).replaces ?? [];
        const ofIntent = diffIntent(asIntent(olds), asIntent(news)).replaces ?? [];
        assert.deepEqual(ofRestore, ofIntent);
      }),
    );
  });
});

describe("diff of an intent", () => {
  const made = {
    kind: "FileRestore",
    virtualMachineId: "42",
    recoveryPointId: "7",
    paths: ["/a", "/b"],
    triggers: [],
    __provider: "text",
  };
  const outputs = { ...made, intentId: "i", process: "p", mark: {}, after: "none" };
  const ruled = { recoveryPoint: { pick: "newest" }, recoveryPointId: undefined };
  const choice = { recoveryPointTakenAt: "2026-11-20T02:00:00Z", listed: 2, fitted: 2, warnings: [] };
  const chosen = { recoveryPoint: { pick: "newest" }, choice };
  const cases: readonly [string, object, object, DiffResult][] = [
    ["what it was made for", {}, {}, nothing],
    ["another kind", {}, { kind: "VmRestore" }, newRestore("kind")],
    ["another machine", {}, { virtualMachineId: "1" }, newRestore("virtualMachineId")],
    ["zeros taken off an id", { virtualMachineId: "0042" }, {}, engineDecides],
    ["a recovery point not known yet", {}, { recoveryPointId: unknown }, newRestore("recoveryPointId")],
    ["other paths", {}, { paths: ["/a"] }, newRestore("paths")],
    ["paths in another order", {}, { paths: ["/b", "/a"] }, engineDecides],
    ["other triggers", {}, { triggers: [1] }, newRestore("triggers")],
    ["another intent before it: it remembers the one it was made after", {}, { after: "intent-0" }, nothing],
    ["an intent before it that is not known yet", {}, { after: unknown }, nothing],
    ["an input it follows", { timeouts: { run: 1 } }, { timeouts: { run: 2 } }, engineDecides],
    ["an input it no longer follows", { timeouts: { run: 1 } }, {}, engineDecides],
    ["its choice, and adopt", chosen, { ...ruled, takes: "5010" }, nothing],
    ["another rule", chosen, { ...ruled, recoveryPoint: { pick: "oldest" } }, newRestore("recoveryPoint")],
    ["a rule instead of an id", {}, ruled, newRestore("recoveryPoint")],
    ["the very id that it chose instead of the rule", chosen, {}, engineDecides],
    ["another id instead of the rule", chosen, { recoveryPointId: "8" }, newRestore("recoveryPointId")],
    // An update would make the choice unknown in the preview, and its restore seem to be replaced.
    ["paths in another order, where it has chosen", chosen, { ...ruled, paths: ["/b", "/a"] }, nothing],
    ["an input it follows, where it has chosen", chosen, { ...ruled, timeouts: { run: 2 } }, engineDecides],
  ];
  for (const [what, olds, news, expected] of cases) {
    it(`for ${what}: ${said(expected)}`, () => {
      assert.deepEqual(diffIntent({ ...outputs, ...olds }, { ...made, ...news }), expected);
    });
  }
});

function asIntent({
  virtualMachineId,
  recoveryPointId,
  triggers,
}: {
  virtualMachineId: string;
  recoveryPointId: string;
  triggers?: unknown[];
}) {
  return { kind: "VmRestore", virtualMachineId, recoveryPointId, triggers: triggers ?? [] };
}

function reversed(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).reverse());
}

function said({ changes, replaces }: DiffResult): string {
  if (replaces) return `a new restore, because of ${replaces.join(" and ")}`;
  return changes === undefined ? "the engine compares" : changes ? "an update" : "nothing";
}
