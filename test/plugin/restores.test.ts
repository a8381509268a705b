import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { checkRestore } from "../../provider/inputs/check-restore";
import { parseRestoreInputs } from "../../provider/inputs/restore-inputs";
import { constructRestore } from "../../provider/plugin/component";
import { runProgram } from "../program/support/program-run";

/** Each test uses its own machine, because a process remembers a machine's restores from one test to the next. */
const ofMachine = (virtualMachineId: string) => ({ virtualMachineId, recoveryPointId: "1007" });
const paths = ["/etc/hosts"];

describe("restores of one machine through the plugin", () => {
  it("know about the machine's earlier VmRestores and its previous restore", async () => {
    const program = await runProgram(async () => {
      await constructRestore("VmRestore", "web", ofMachine("71"), { ignoreChanges: ["triggers"] });
      await constructRestore("FileRestore", "content", { ...ofMachine("71"), paths }, {});
      await constructRestore("FileRestore", "more", { ...ofMachine("71"), paths }, {});
    });
    const order = (kind: "VmRestore" | "FileRestore", name: string) => {
      const { inputs } = program.find(`${kind}Run`, name);
      const { previous } = parseRestoreInputs(kind, inputs, "create");
      return [inputs["__behind"], previous?.urn.split("::").at(-1)];
    };
    assert.deepEqual(program.find("VmRestoreRun", "web").request.getIgnorechangesList(), ["triggers"]);
    const behind = ["id-of-web-vm-intent"];
    assert.deepEqual(
      [order("VmRestore", "web"), order("FileRestore", "content"), order("FileRestore", "more")],
      [
        [undefined, undefined],
        [behind, "web"],
        [behind, "content"],
      ],
    );
  });

  it("are rejected with an error that hides an input's name if that name would crash the engine", async () => {
    const made = constructRestore("VmRestore", "web", { ...ofMachine("74"), "<{%x%}>": 1 }, {});
    await assert.rejects(made, ({ errors }: pulumi.InputPropertiesError) => errors?.[0]?.propertyPath === "(nested)");
  });

  it("fail their check when the previous restore has wait: false", async () => {
    const program = await runProgram(async () => {
      await constructRestore("VmRestore", "web", { ...ofMachine("73"), wait: pulumi.output(false) }, {});
      await constructRestore("FileRestore", "content", { ...ofMachine("73"), paths }, {});
    });
    const { failures } = checkRestore("FileRestore")({}, program.find("FileRestoreRun", "content").inputs);
    const reasons = failures.map(({ reason }) => reason).join();
    assert.match(reasons, /^the previous restore of its machine, "web", has wait: false/);
  });
});
