import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { RecoveryPlan, type RecoveryPlanArgs } from "../../provider";
import { runProgram } from "./support/program-run";

const choice = { recoveryPointTakenAt: "2026-11-20T02:00:00Z", listed: 12, fitted: 5, warnings: [] };
const incidentAt = "2026-11-20T09:30:00Z";
const plan: RecoveryPlanArgs = {
  run: "first",
  recoveryPoint: "newest",
  waves: [
    { name: "data", restores: { db: { virtualMachineId: 43 }, old: { virtualMachineId: 44, recoveryPointId: 7 } } },
    {
      name: "front",
      recoveryPoint: { within: "7d" },
      restores: { web: { virtualMachineId: 42 }, content: { virtualMachineId: 45, recoveryPoint: { pick: "oldest" } } },
    },
  ],
};

interface Asked {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly choice?: unknown;
  readonly recoveryPointTakenAt?: unknown;
}

const saved = { after: "none", mark: { panel: "panel", firstPageIds: [] } };

/** Intents that have chosen a point, and their restores, as the state holds them. */
const stored = (type: string, name: string): Record<string, unknown> => {
  if (name.includes("shop-old")) return {};
  return type.endsWith(":RestoreIntent") ? { ...saved, recoveryPointId: "1008", choice } : {};
};

async function registered(args: RecoveryPlanArgs = plan, mode: "preview" | "up" = "up", storedOf = stored) {
  const run = await runProgram(() => new RecoveryPlan("shop", args), mode, storedOf);
  const intents = run.registrations.filter(({ type }) => type.endsWith(":RestoreIntent"));
  const ofIntents = (input: string): Record<string, unknown> =>
    Object.fromEntries(
      intents.map(({ name, inputs }) => [name.replace(/^shop-|-(vm|file)-intent$/g, ""), inputs[input]]),
    );
  const plannedOf = (wave: string): Record<string, Asked> =>
    run.find("PlanWave", wave).inputs["planned"] as Record<string, Asked>;
  return { run, ofIntents, plannedOf };
}

describe("a plan whose recovery points are chosen by rules, in a program", () => {
  it("gives each restore the nearest rule, and none to one that has an id", async () => {
    const { ofIntents, run } = await registered();
    assert.deepEqual(ofIntents("recoveryPoint"), {
      db: { pick: "newest" },
      old: undefined,
      web: { pick: "newest", within: 604_800 },
      content: { pick: "oldest" },
    });
    assert.equal(ofIntents("recoveryPointId")["old"], 7);
    const { recoveryPoint, recoveryPointId } = run.find("VmRestore", "shop-db").inputs;
    assert.deepEqual([recoveryPoint, recoveryPointId], [{ pick: "newest" }, undefined]);
  });

  it("stores with the run which rule is in force, wherever it stands", async () => {
    const asGiven = async (args: RecoveryPlanArgs) =>
      (await registered(args)).run.find("PlanRun", "shop-run").inputs["asGiven"];
    const { waves } = (await asGiven(plan)) as { waves: { restores: Record<string, object> }[] };
    assert.deepEqual(waves[0]?.restores, {
      db: { virtualMachineId: "43", recoveryPoint: { pick: "newest" }, checks: [] },
      old: { virtualMachineId: "44", recoveryPointId: "7", checks: [] },
    });
    const [data, front] = plan.waves;
    const moved = { ...plan, recoveryPoint: undefined, waves: [{ ...data!, recoveryPoint: {} }, front!] };
    assert.deepEqual(await asGiven(moved), await asGiven(plan));
    const late = { ...plan, recoveryPoint: pulumi.output("newest" as const) };
    assert.deepEqual(await asGiven(late), await asGiven(plan), "also of an output");
    const secret = JSON.stringify(await asGiven({ ...plan, recoveryPoint: pulumi.secret("newest" as const) }));
    assert.match(secret, /"recoveryPoint":"\[secret\]"/);
  });

  it("hands its waves what was chosen and from how many, and the time of the point", async () => {
    const { plannedOf } = await registered();
    const { db, old } = plannedOf("shop-wave-data");
    assert.deepEqual(
      [db?.choice, db?.inputs["recoveryPointId"], db?.inputs["recoveryPoint"]],
      [choice, "1008", { pick: "newest" }],
    );
    assert.deepEqual(["choice" in old!, old?.inputs["recoveryPoint"]], [false, undefined]);
  });

  it("knows all of it in the preview in which the intents are as they were, and nothing in which they are made", async () => {
    const { plannedOf } = await registered(plan, "preview");
    assert.deepEqual(
      [plannedOf("shop-wave-data")["db"]?.choice, plannedOf("shop-wave-front")["web"]?.inputs["recoveryPointId"]],
      [choice, "1008"],
    );
    const first = (await registered(plan, "preview", () => ({}))).plannedOf("shop-wave-data")["db"];
    assert.deepEqual(
      [first?.choice, first?.inputs["recoveryPointId"]],
      [pulumi.runtime.unknownValue, pulumi.runtime.unknownValue],
    );
  });

  it("knows that nothing was chosen where adopt named a transaction, so that no preview shows a change", async () => {
    const none = (type: string) => (type.endsWith(":RestoreIntent") ? { ...saved, choice: {} } : {});
    const { plannedOf } = await registered(plan, "preview", none);
    const { choice: made, inputs } = plannedOf("shop-wave-data")["db"]!;
    assert.deepEqual([made, inputs["recoveryPointId"]], [{}, undefined]);
  });

  it("hands incidentAt to the intents alone, for the choice: no restore is another one for it", async () => {
    const { ofIntents, run } = await registered({ ...plan, incidentAt });
    assert.deepEqual(ofIntents("incidentAt"), { db: incidentAt, old: undefined, web: incidentAt, content: incidentAt });
    for (const { type, inputs } of run.registrations) {
      if (/:(Vm|File)Restore$/.test(type)) assert.ok(!JSON.stringify(inputs).includes(incidentAt));
    }
    const unknown = { ...plan, incidentAt: pulumi.output(Promise.resolve(incidentAt)) };
    assert.equal((await registered(unknown)).ofIntents("incidentAt")["db"], incidentAt);
  });

  it("is not warned of as not measured, which a plan with ids is", async () => {
    const warned: string[] = [];
    const { warn } = pulumi.log;
    Object.assign(pulumi.log, { warn: (text: string) => Promise.resolve(void warned.push(text)) });
    try {
      await registered({ ...plan, goals: { dataAge: "1d" } });
    } finally {
      Object.assign(pulumi.log, { warn });
    }
    assert.equal(warned.length, 1);
    assert.match(warned[0]!, /applies to old, but recoveryPointTakenAt is not given/);
  });
});
