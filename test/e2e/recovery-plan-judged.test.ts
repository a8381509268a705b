import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { commandOver } from "./support/command";
import { inline } from "./support/inline";
import { declarePlan, planned, planTimeouts as timeouts, quick, reported } from "./support/plans";
import { useScene } from "./support/scene";

const files = { virtualMachineId: 42, recoveryPointId: 1007, paths: ["/srv"], timeouts };

describe("a recovery plan is not judged better than it was", () => {
  const scene = useScene();

  it("where a restore beside it restores the whole machine over its files", async () => {
    await scene.panel({ speed: 50 });
    const stack = await scene.stack(
      inline(() => {
        const waves = [{ name: "data", restores: { content: files } }];
        const plan = new recovery.RecoveryPlan("shop", { run: "Q1", waves });
        const { virtualMachineId, recoveryPointId } = files;
        const args = { virtualMachineId, recoveryPointId, timeouts };
        new recovery.VmRestore("machine", args, { dependsOn: plan });
        return { verdict: plan.verdict };
      }),
      { config: quick },
    );
    await stack.up();
    const { result, reasons } = await reported(stack);
    assert.equal(result, "incomplete");
    assert.match(reasons[0] ?? "", /^content was overwritten by machine \(machine 42, transaction \d+\)$/);
    const gate = await commandOver(scene, stack, ["report", "--plan", "shop", "--gate"]);
    assert.equal(gate.code, 2, gate.out + gate.told);
  });

  it("where its points were taken after the incident, or are stamped in the future, also without a goal", async () => {
    const panel = await scene.panel({ speed: 50 });
    const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const plan = (run: string, recoveryPointTakenAt: string, more: object): recovery.RecoveryPlanArgs => ({
      run,
      kind: "recovery",
      waves: [{ name: "data", restores: { content: { ...files, recoveryPointTakenAt } } }],
      ...more,
    });
    const stack = await planned(scene, plan("Q1", at(-1), { incidentAt: at(-5) }));
    await stack.upFails();
    assert.match(String((await reported(stack)).reasons), /^content was restored from a point of .*, after the incident of /); // prettier-ignore
    await stack.configure(declarePlan(plan("Q2", at(9_000), { goals: { dataAge: "24h" } })));
    await stack.upFails();
    const { result, reasons } = await reported(stack);
    assert.deepEqual([result, reasons[0]], ["incomplete", "content: data age not measured, goal 1d"]);
    assert.match(reasons[1] ?? "", /its recovery point is stamped .*, after the restore's own end, so its data has no age/); // prettier-ignore
    assert.equal(panel.acceptedPosts(), 2);
  });

  it("where a restore was taken out of it or a goal was raised after it had failed", async () => {
    const panel = await scene.panel({ speed: 50 });
    panel.failNext(44, "failed");
    const mail = { virtualMachineId: 44, recoveryPointId: 1009, timeouts };
    const plan = (
      restores: recovery.RecoveryPlanArgs["waves"][number]["restores"],
      recoveryTime: string,
      name = "data",
    ): recovery.RecoveryPlanArgs => ({ run: "Q1", wholeGoals: { recoveryTime }, waves: [{ name, restores }] });
    const stack = await planned(scene, plan({ content: files, mail }, "1s"));
    await stack.upFails();
    await stack.configure(declarePlan(plan({ content: files }, "1h", "base")));
    assert.match((await stack.previewFails()).stdout, /wave data belongs to run Q1/);
    await stack.configure(declarePlan(plan({ content: files }, "1h")));
    await stack.up();
    const { result, reasons } = await reported(stack);
    assert.equal(result, "passed with warnings");
    for (const told of [
      /mail was taken out of wave data after it was carried out: an attempt ended as failed/,
      /the plan was changed at .*: waves\.data\.mail was taken out/,
      /the plan was changed at .*: wholeGoals\.recoveryTimeSeconds was 1, is 3600/,
    ])
      assert.match(reasons.join("\n"), told);
    assert.equal(panel.acceptedPosts(), 2);
  });
});
