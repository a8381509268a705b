import assert from "node:assert/strict";
import { intentIdOf, makingProcessOf } from "../../provider/inputs/intent";
import { parseRestoreInputs, readMark } from "../../provider/inputs/restore-inputs";

const machine = { virtualMachineId: "42", recoveryPointId: "7" };

describe("a restore's typed inputs", () => {
  it("have default values unless the program sets others", () => {
    assert.deepEqual(parseRestoreInputs("VmRestore", machine, "create"), {
      request: {
        target: { kind: "VmRestore", ...machine },
        timeouts: { busyMs: 1_800_000, listedMs: 120_000, runMs: 14_400_000, settleMs: 15_000 },
        ...{ wait: true, retryFailed: true, captureLog: "onFailure" },
      },
      known: [],
    });
  });

  it("use Pulumi's time limit for the operation if timeouts.total is not set", () => {
    const totalOf = (operation: "create" | "update", more: object) =>
      parseRestoreInputs("VmRestore", { ...machine, ...more }, operation).request.timeouts.totalMs;
    const customTimeouts = { create: 7_200, update: 60 };
    assert.equal(totalOf("create", { customTimeouts }), 7_200_000);
    assert.equal(totalOf("update", { customTimeouts }), 60_000);
    assert.equal(totalOf("update", { customTimeouts: { create: 7_200 } }), undefined);
    assert.equal(totalOf("create", { customTimeouts, timeouts: { run: 5 } }), 7_200_000);
    assert.equal(totalOf("create", { customTimeouts, timeouts: { total: 5 } }), 5_000);
  });

  it("contain an intent only if it is complete, because otherwise nothing may be posted", () => {
    const madeFor = { kind: "VmRestore", ...machine };
    const whole = { id: "i", urn: "urn:web-vm-intent", mark: { panel: "https://panel", ended: ["5010"] }, madeFor };
    const intentIn = (value: unknown) =>
      parseRestoreInputs("VmRestore", { ...machine, __intent: value }, "create").intent;
    assert.deepEqual(intentIn(whole), { ...whole, choiceWarnings: [] });
    const ofOther = { madeFor: { ...madeFor, kind: "Volume" } };
    for (const lacking of [{ id: "" }, { urn: undefined }, { mark: undefined }, { madeFor: undefined }, ofOther])
      assert.equal(intentIn({ ...whole, ...lacking }), undefined, JSON.stringify(lacking));
    for (const other of [undefined, "intent", {}]) assert.equal(intentIn(other), undefined);
  });

  it("contain no previous restore if its URN is missing", () => {
    const __previous = { urn: "", intentId: "i", madeUnder: "i", status: "complete" };
    assert.equal(parseRestoreInputs("VmRestore", { ...machine, __previous }, "create").previous, undefined);
  });
});

describe("a mark in the state", () => {
  it("may contain null instead of a time or a newest id", () => {
    assert.deepEqual(readMark({ panel: "p", newestId: null, ended: [], takenAt: null }), { panel: "p", ended: [] });
  });

  const parts: readonly (readonly [string, unknown])[] = [
    ["has only a panel", { panel: "p" }],
    ["has no panel", { ended: ["7"] }],
    ["has an empty panel name", { panel: "", ended: ["7"] }],
    ["has an id that is not a string", { panel: "p", ended: ["t7", 8] }],
    ["has an empty id", { panel: "p", ended: ["t7"], others: [""] }],
    ["is missing", undefined],
  ];
  for (const [what, stored] of parts) {
    it(`is invalid if it ${what}, so nothing may be posted`, () => {
      assert.equal(readMark(stored), undefined);
    });
  }
});

it("an intent's id names the process that created the intent, and is unique in that process", () => {
  const [first, second] = [intentIdOf("0b3ec8567291", 1), intentIdOf("0b3ec8567291", 12)];
  assert.notEqual(first, second);
  assert.deepEqual([first, second].map(makingProcessOf), ["0b3ec8567291", "0b3ec8567291"]);
  assert.notEqual(makingProcessOf(intentIdOf("0b3ec856729", 11)), "0b3ec8567291");
  for (const id of ["", "-1", "x"]) assert.equal(makingProcessOf(id), undefined, id);
});
