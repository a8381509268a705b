import assert from "node:assert/strict";
import { parseRestoreInputs } from "../../provider/inputs/restore-inputs";

const machine = { virtualMachineId: "42", recoveryPointId: "7" };

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

  it("have no intent, so that nothing may be posted, unless it is whole", () => {
    const madeFor = { kind: "VmRestore", ...machine };
    const whole = { id: "i", urn: "urn:web-vm-intent", mark: { panel: "https://panel", ended: ["5010"] }, madeFor };
    const intentIn = (value: unknown) =>
      parseRestoreInputs("VmRestore", { ...machine, __intent: value }, "create").intent;
    assert.deepEqual(intentIn(whole), whole);
    const ofOther = { madeFor: { ...madeFor, kind: "Volume" } };
    for (const lacking of [{ id: "" }, { urn: undefined }, { mark: undefined }, { madeFor: undefined }, ofOther])
      assert.equal(intentIn({ ...whole, ...lacking }), undefined, JSON.stringify(lacking));
    for (const other of [undefined, "intent", {}]) assert.equal(intentIn(other), undefined);
  });

  it("have no previous restore if its URN is missing", () => {
    const __previous = { urn: "", intentId: "i", madeUnder: "i", status: "complete" };
    assert.equal(parseRestoreInputs("VmRestore", { ...machine, __previous }, "create").previous, undefined);
  });
});
