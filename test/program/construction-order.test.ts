import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { FileRestore, Provider, VmRestore } from "../../provider";
import { runProgram, type ProgramRun } from "./support/program-run";
import { heardWarnings } from "./support/heard";

function vm(name: string, machine: pulumi.Input<number | string>, opts?: pulumi.CustomResourceOptions): VmRestore {
  return new VmRestore(name, { virtualMachineId: machine, recoveryPointId: 7 }, opts);
}

/** The restores that a restore's intent waits for. The previous restore's intent is left out. */
function before(run: ProgramRun<unknown>, name: string, intent = `${name}-vm-intent`): readonly string[] {
  return run.find("Intent", intent).dependencies.filter((dependency) => !dependency.endsWith("-intent"));
}

describe("restores of one machine in one program", () => {
  it("run one after the other in the program's order, even if their kinds or the spellings of the machine's id differ", async () => {
    const run = await runProgram(() => {
      vm("a", 42);
      new FileRestore("b", { virtualMachineId: "42", recoveryPointId: 7, paths: ["/a"] });
      vm("c", pulumi.output(42));
      vm("d", Promise.resolve("42"));
      vm("e", pulumi.secret("42"));
      vm("other", 43);
    });
    assert.deepEqual(before(run, "a"), []);
    assert.deepEqual(before(run, "b", "b-file-intent"), ["a"]);
    // Each waits for the previous restore and all earlier VmRestores, and thus for all earlier restores.
    for (const [name, earlier] of [
      ["c", ["a", "b"]],
      ["d", ["a", "c"]],
      ["e", ["a", "c", "d"]],
    ] as const)
      for (const one of earlier) assert.ok(before(run, name).includes(one), `${name} behind ${one}`);
    assert.deepEqual(before(run, "other"), []);
  });

  for (const [what, wait, machine] of [
    ["", false, 42],
    [", even if wait is an output", pulumi.output(false), 42],
    [", even if the machine's id is an output", false, pulumi.output(42)],
  ] as const) {
    it(`let \`check\` know that the previous restore has wait: false${what}`, async () => {
      const run = await runProgram(() => {
        new VmRestore("web", { virtualMachineId: 42, recoveryPointId: 7, wait });
        new FileRestore("etc", { virtualMachineId: machine, recoveryPointId: 7, paths: ["/a"] });
        new FileRestore("www", { virtualMachineId: machine, recoveryPointId: 7, paths: ["/a"] });
      });
      const previous = (name: string) => run.find("FileRestore", name).inputs["__previous"] as { wait?: boolean };
      assert.deepEqual([previous("etc").wait, "wait" in previous("www")], [false, false]);
    });
  }

  describe("in a preview", () => {
    const heard = heardWarnings();

    it("warn once about each VmRestore that overwrites restored files", async () => {
      await runProgram(() => {
        const files = (name: string) =>
          new FileRestore(name, { virtualMachineId: pulumi.output(42), recoveryPointId: 7, paths: ["/a"] });
        vm("first", 42);
        files("a");
        files("b");
        vm("second", 42);
        vm("third", 42);
        vm("other", 43);
      }, "preview");
      assert.deepEqual(heard, [
        'VmRestore "second" restores the whole machine after FileRestore "a", FileRestore "b", and overwrites the restored files. Construct VmRestore "second" first.',
      ]);
    });
  });

  it("never wait for a restore that is declared later, because that restore might be waiting for them", async () => {
    const run = await runProgram(() => {
      const source = vm("source", 1);
      const early = vm(
        "early",
        source.transactionId.apply(() => "42"),
      );
      vm("late", 42, { dependsOn: early });
    });
    assert.deepEqual(before(run, "early"), ["source"]);
    assert.deepEqual(before(run, "late"), ["early"]);
  });

  it("do not wait for one another if they are sent to different panels", async () => {
    const run = await runProgram(() => {
      const [east, west] = ["east", "west"].map((name) => new Provider(name, { endpoint: `https://${name}.example` }));
      assert.ok(east && west);
      vm("a", 42);
      vm("b", 42, { provider: east });
      vm("c", 42, { provider: west });
      const group = new pulumi.ComponentResource("test:index:Group", "group", {}, { provider: east });
      vm("d", 42, { parent: group });
      vm("e", 42);
    });
    const waits = "a b c d e".split(" ").map((name) => before(run, name));
    assert.deepEqual(waits, [[], [], [], ["b"], ["a"]]);
  });
});
