import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { VmRestore } from "../../provider";
import { runProgram } from "./support/program-run";

const target = { virtualMachineId: 42, recoveryPointId: 7 };
const thisFile = pathToFileURL(__filename).href;
const packageFolder = pathToFileURL(join(__dirname, "..", "..", "provider")).href;

describe("stack traces while restores are constructed", () => {
  it("name the program's line as the one that the engine keeps of each resource, and none of this package's, the SDK's or Node's", async () => {
    // The SDK finds no line in the frame of a function without a name.
    const { registrations } = await runProgram(function program() {
      new VmRestore("web", target);
      // Between these lines of the program are Node's own, with a file and without one.
      const emitter = new EventEmitter().once("now", function now(...names: string[]) {
        names.forEach(function later(name) {
          new VmRestore(name, target);
        });
      });
      emitter.emit("now", "later");
    });
    const ofRestores = registrations.filter(({ type }) => type.includes(":recovery:"));
    assert.equal(ofRestores.length, 4);
    for (const { name, request } of ofRestores) {
      const lines = (request.getStacktrace()?.getFramesList() ?? []).map((frame) => frame.getPc()?.getUri());
      assert.equal(request.getSourceposition()?.getUri(), thisFile, name);
      assert.equal(lines[0], thisFile, name);
      const isOther = (uri = ""): boolean => uri === "" || uri.startsWith(packageFolder) || uri.includes("/@pulumi/");
      assert.deepEqual(lines.filter(isOther), [], name);
    }
  });

  it("are not searched for lines where the SDK takes one for each property", async () => {
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
        // One for the restore, one for its intent.
        assert.equal(printed, 2);
      });
    } finally {
      settings.prepareStackTrace = print;
    }
  });
});
