import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type FileRestoreArgs, VmRestore, type VmRestoreArgs } from "../../provider";
import { runProgram } from "./support/program-run";

const rule = { virtualMachineId: 42, recoveryPoint: "newest" } as const;
const choice = { recoveryPointTakenAt: "2026-11-20T02:00:00Z", listed: 2, fitted: 1, warnings: [] };
const chosen = (type: string): Record<string, unknown> =>
  type.endsWith(":Intent") ? { recoveryPointId: "1008", choice } : {};

interface IntentInput {
  readonly choice?: unknown;
  readonly madeFor: Readonly<Record<string, unknown>>;
}

async function registered(args: VmRestoreArgs, mode: "preview" | "up" = "up", storedOf = chosen) {
  const run = await runProgram(() => new VmRestore("web", args), mode, storedOf);
  const intent = run.find("Intent", "web-vm-intent").inputs;
  const restore = run.find("VmRestore", "web").inputs;
  return { intent, restore, handed: restore["intent"] as IntentInput };
}

describe("a restore with a rule, in a program", () => {
  it("gives the rule to both, and the intent's choice to the restore", async () => {
    const { intent, restore, handed } = await registered(rule);
    assert.equal(intent["recoveryPoint"], "newest");
    assert.equal(restore["recoveryPoint"], "newest");
    assert.equal("recoveryPointId" in restore, false);
    assert.deepEqual(handed.choice, choice);
    assert.deepEqual([handed.madeFor["recoveryPoint"], handed.madeFor["recoveryPointId"]], ["newest", "1008"]);
  });

  it("that is an output gives it all the same", async () => {
    const { intent, handed } = await registered({
      virtualMachineId: 42,
      recoveryPoint: pulumi.output({ within: "7d" }),
    });
    assert.deepEqual(intent["recoveryPoint"], { within: "7d" });
    assert.deepEqual(handed.choice, choice);
  });

  it("does not know the choice in the preview in which the intent is made", async () => {
    const { handed } = await registered(rule, "preview", () => ({}));
    assert.equal(handed.choice, pulumi.runtime.unknownValue);
    assert.equal(handed.madeFor["recoveryPointId"], pulumi.runtime.unknownValue);
  });

  it("knows it in the preview in which the intent is as it was", async () => {
    const { handed } = await registered(rule, "preview");
    assert.deepEqual([handed.choice, handed.madeFor["recoveryPointId"]], [choice, "1008"]);
  });

  for (const [what, recoveryPointId] of [
    ["an id", 1007],
    ["an id that is an output", pulumi.output(1007)],
  ] as const) {
    it(`beside ${what} hands no choice over, so that the check finds both`, async () => {
      const { restore, handed } = await registered({ ...rule, recoveryPointId });
      assert.deepEqual([restore["recoveryPointId"], handed.choice], [1007, undefined]);
    });
  }

  it("beside an id that turns out not to be given is as good as alone", async () => {
    const { handed } = await registered({ ...rule, recoveryPointId: pulumi.output(undefined) });
    assert.deepEqual(handed.choice, choice);
  });

  it("hands the value of adopt to the intent", async () => {
    assert.equal((await registered({ ...rule, adopt: 5010 })).intent["takes"], 5010);
  });
});

describe("a restore with a rule and replaceOnChanges", () => {
  const intentOf = async (
    replaceOnChanges: string[],
    timeouts: unknown,
    more: object = { recoveryPoint: "newest" },
  ) => {
    const args = { virtualMachineId: 42, ...more, timeouts } as VmRestoreArgs;
    const run = await runProgram(() => new VmRestore("web", args, { replaceOnChanges }), "up", chosen);
    return run.find("Intent", "web-vm-intent").inputs["timeouts"];
  };
  const limits = { run: "2h", busy: "1m" };

  it("gives its intent the limits that are named, so that another limit leaves the intent and its choice alone", async () => {
    assert.deepEqual(await intentOf(["timeouts.run"], limits), { run: "2h" });
    assert.deepEqual(await intentOf(['["timeouts"]["run"]'], pulumi.output(limits)), { run: "2h" });
    assert.deepEqual(await intentOf(["timeouts.run"], { ...limits, busy: "9m" }), { run: "2h" });
  });

  it("gives it all of them where all are named, and without a rule", async () => {
    for (const all of [["timeouts"], ["*"], ["timeouts.run", "timeouts.*"]]) {
      assert.deepEqual(await intentOf(all, limits), limits, all.join());
    }
    assert.deepEqual(await intentOf(["timeouts.run"], limits, { recoveryPointId: 7 }), limits);
  });
});

describe("a restore without a rule, in a program", () => {
  it("has nothing of one: what is in a state stays as it is", async () => {
    const args: Omit<FileRestoreArgs, "paths"> = { virtualMachineId: 42, recoveryPointId: 1007, adopt: 5010 };
    const { intent, restore } = await registered(args);
    for (const name of ["recoveryPoint", "choice", "takes"]) assert.equal(name in intent, false, name);
    const handed = restore["intent"] as IntentInput;
    assert.equal("choice" in handed || "recoveryPoint" in handed.madeFor, false);
    assert.equal("recoveryPointTakenAt" in restore, false);
  });

  it("has no time of its point, which is known in every preview", async () => {
    const known = await runProgram(async () => {
      const { recoveryPointTakenAt } = new VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007 });
      return new Promise((resolve) => {
        recoveryPointTakenAt.apply((value) => {
          resolve([value]);
        });
      });
    }, "preview");
    assert.deepEqual(known.result, [undefined]);
  });
});
