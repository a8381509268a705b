import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { VmRestore, type VmRestoreArgs } from "../../provider";
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
  return { intent, restore, handed: restore["__intent"] as IntentInput };
}

describe("in a program, a restore with a rule", () => {
  const { output, runtime } = pulumi;
  const { unknownValue } = runtime;
  type Told = readonly [ofIntent: unknown, choice: unknown, pointId: unknown];
  const table: Readonly<
    Record<string, readonly [args: Partial<VmRestoreArgs>, told: Told, run?: "preview" | "first preview"]>
  > = {
    "passes the rule to both resources, and the intent's choice to the restore": [{}, ["newest", choice, "1008"]],
    "passes on a rule in an output": [{ recoveryPoint: output({ within: "7d" }) }, [{ within: "7d" }, choice, "1008"]],
    "receives an unknown choice in a preview that creates the intent": [
      {},
      ["newest", unknownValue, unknownValue],
      "first preview",
    ],
    "receives a known choice in a preview that does not change the intent": [{}, ["newest", choice, "1008"], "preview"],
    "passes on no choice if the id is set too, so that `check` sees both the rule and the id": [
      { recoveryPointId: 1007 },
      ["newest", undefined, "1008"],
    ],
    "passes on no choice if the id is an output": [{ recoveryPointId: output(1007) }, ["newest", undefined, "1008"]],
    "passes on the choice if the id turns out to be undefined": [
      { recoveryPointId: output(undefined) },
      ["newest", choice, "1008"],
    ],
  };
  for (const [what, [args, told, run]] of Object.entries(table))
    it(what, async () => {
      const stored = run === "first preview" ? () => ({}) : chosen;
      const { intent, restore, handed } = await registered({ ...rule, ...args }, run ? "preview" : "up", stored);
      assert.deepEqual([intent["recoveryPoint"], handed.choice, handed.madeFor["recoveryPointId"]], told);
      assert.deepEqual(restore["recoveryPoint"], intent["recoveryPoint"]);
      assert.equal(restore["recoveryPointId"], told[1] === undefined ? 1007 : undefined);
    });
});
