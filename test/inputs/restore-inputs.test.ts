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
});
