import assert from "node:assert/strict";
import { parseRestoreInputs } from "../../provider/inputs/restore-inputs";

const machine = { virtualMachineId: "42", recoveryPointId: "7" };
const intent = {
  id: "i",
  urn: "urn:pulumi:s::p::t::web-vm-intent",
  mark: { panel: "https://panel", ended: ["5010"], newestId: "5010" },
  madeFor: { kind: "VmRestore", virtualMachineId: "42", recoveryPointId: "7", triggers: ["a"] },
};

describe("the typed inputs of a restore", () => {
  it("have the defaults when the program sets no value", () => {
    assert.deepEqual(parseRestoreInputs("VmRestore", machine, "create"), {
      target: { kind: "VmRestore", ...machine },
      timeouts: { busyMs: 1_800_000, listedMs: 120_000, runMs: 14_400_000, settleMs: 15_000 },
      options: { wait: true, retryFailed: true, captureLog: "onFailure" },
      behind: [],
      known: [],
    });
  });

  it("have Pulumi's own time limit for the operation when the program sets no total", () => {
    const totalOf = (operation: "create" | "update", more: object) =>
      parseRestoreInputs("VmRestore", { ...machine, ...more }, operation).timeouts.totalMs;
    const customTimeouts = { create: 7_200, update: 60 };
    assert.equal(totalOf("create", { customTimeouts }), 7_200_000);
    assert.equal(totalOf("update", { customTimeouts }), 60_000);
    assert.equal(totalOf("update", { customTimeouts: { create: 7_200 } }), undefined);
    assert.equal(totalOf("create", { customTimeouts, timeouts: { run: 5 } }), 7_200_000);
    assert.equal(totalOf("create", { customTimeouts, timeouts: { total: 5 } }), 5_000);
  });

  it("name the wrong property in a state that was edited by hand", () => {
    const parsed = (more: object) => () => parseRestoreInputs("FileRestore", { ...machine, ...more }, "create");
    assert.throws(parsed({ paths: ["/a"], adopt: 1.5 }), /the input adopt is 1.5/);
    assert.throws(parsed({}), /the input paths is missing/);
  });

  describe("about the machine's previous restore", () => {
    const whole = { urn: "urn:a", intentId: "i", madeUnder: "i", status: "complete" };
    const nothing = { intentId: undefined, madeUnder: undefined, status: undefined };
    const table: readonly [name: string, given: unknown, read: unknown][] = [
      ["keep everything that this run knows", whole, whole],
      ["keep its URN when nothing else is known", { urn: "urn:a" }, { urn: "urn:a", ...nothing }],
      [
        "keep nothing that is not a string",
        { ...whole, intentId: 1, madeUnder: "", status: {} },
        { urn: "urn:a", ...nothing },
      ],
      ["keep nothing when it has no URN", { ...whole, urn: "" }, undefined],
      ["keep nothing when there is none", null, undefined],
    ];
    for (const [name, previous, read] of table) {
      it(name, () => {
        const parsed = parseRestoreInputs("VmRestore", { ...machine, __previous: previous }, "create");
        assert.deepEqual(parsed.previous, read);
      });
    }
  });

  const broken: readonly [string, unknown][] = [
    ["absent", undefined],
    ["a string", "intent"],
    ["empty", {}],
    ["without an id", { ...intent, id: "" }],
    ["without a mark", { ...intent, mark: undefined }],
    ["without a target", { ...intent, madeFor: undefined }],
    ["made for another kind of resource", { ...intent, madeFor: { ...intent.madeFor, kind: "Volume" } }],
  ];
  for (const [what, value] of broken) {
    it(`have no intent when it is ${what}`, () => {
      assert.equal("intent" in parseRestoreInputs("VmRestore", { ...machine, __intent: value }, "create"), false);
    });
  }
});
