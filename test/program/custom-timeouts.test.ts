import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import { VmRestore } from "../../provider";
import { runProgram } from "./support/program-run";

const machine = { virtualMachineId: 42, recoveryPointId: 7 };

describe("the option customTimeouts", () => {
  const table: readonly [pulumi.CustomTimeouts | undefined, object | undefined][] = [
    [undefined, undefined],
    [{}, undefined],
    [{ delete: "5m" }, undefined],
    [{ create: "90m" }, { create: 5_400 }],
    [
      { create: "1h30m", update: "40s", delete: "1s" },
      { create: 5_400, update: 40 },
    ],
    [{ create: "1.5h" }, { create: 5_400 }],
    [{ create: "+.5m" }, { create: 30 }],
    [{ create: "1500ms" }, { create: 2 }],
    [{ create: "10us" }, { create: 1 }],
    [{ create: "2000h" }, { create: 24 * 86_400 }],
    [{ create: "0", update: "0s" }, undefined],
    // The engine itself rejects these.
    [{ create: "1d", update: "" }, undefined],
    [{ create: "-5m", update: "5" }, undefined],
  ];
  for (const [option, limits] of table) {
    it(`is passed on as ${JSON.stringify(limits)} when it is ${JSON.stringify(option)}`, async () => {
      const run = await runProgram(() => new VmRestore("web", machine, option && { customTimeouts: option }));
      assert.deepEqual(run.find("VmRestore", "web").inputs["customTimeouts"], limits);
    });
  }
});
