import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRestoreInputs } from "../../provider/inputs/restore-inputs";
import { constructRestore } from "../../provider/plugin/component";
import { runProgram } from "../program/support/program-run";

interface Schema {
  readonly resources: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
}

const schema = JSON.parse(readFileSync(join(__dirname, "..", "..", "plugin", "schema.json"), "utf8")) as Schema;

/** A provider process has one order of restores, so each test has a machine of its own. */
const ofMachine = (virtualMachineId: string) => ({ virtualMachineId, recoveryPointId: "1007" });
const paths = ["/etc/hosts"];

describe("restores of one machine in another language", () => {
  it("are told which VmRestore they stand behind, right before them or further up", async () => {
    const program = await runProgram(async () => {
      await constructRestore("VmRestore", "web", ofMachine("71"), {});
      await constructRestore("FileRestore", "content", { ...ofMachine("71"), paths }, {});
      await constructRestore("FileRestore", "more", { ...ofMachine("71"), paths }, {});
    });
    const last = (urn = "") => urn.split("$").at(-1);
    const web = last(program.find("VmRestoreRun", "web").urn);
    const behind = (kind: "VmRestore" | "FileRestore", name: string) =>
      last(parseRestoreInputs(kind, program.find(`${kind}Run`, name).inputs, "create").machineBefore?.urn);
    assert.deepEqual(
      [behind("VmRestore", "web"), behind("FileRestore", "content"), behind("FileRestore", "more")],
      ["", web, web],
    );
  });
});

describe("the component of a restore", () => {
  for (const kind of ["VmRestore", "FileRestore"] as const) {
    it(`has the outputs that the schema has: ${kind}`, async () => {
      const inputs = { ...ofMachine(`72-${kind}`), ...(kind === "FileRestore" && { paths }) };
      const { result } = await runProgram(() => constructRestore(kind, "web", inputs, {}));
      const { properties } = schema.resources[`recovery:index:${kind}`] ?? {};
      assert.deepEqual(Object.keys(result.state ?? {}).sort(), Object.keys(properties ?? {}).sort());
    });
  }
});
