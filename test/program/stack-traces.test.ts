import assert from "node:assert/strict";
import { VmRestore } from "../../provider";
import { runProgram } from "./support/program-run";

const target = { virtualMachineId: 42, recoveryPointId: 7 };

describe("stack traces while restores are constructed", () => {
  it("are formatted only twice for each restore, although the SDK captures a trace for each property", async () => {
    const settings: { prepareStackTrace?: unknown } = Error;
    const print = settings.prepareStackTrace;
    let printed = 0;
    settings.prepareStackTrace = (error: Error) => {
      printed++;
      return String(error);
    };
    try {
      await runProgram(() => {
        printed = 0;
        new VmRestore("web", target);
        // One trace for the restore, and one for its intent.
        assert.equal(printed, 2);
      });
    } finally {
      settings.prepareStackTrace = print;
    }
  });
});
