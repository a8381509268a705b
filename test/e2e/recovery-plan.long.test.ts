import assert from "node:assert/strict";
import type { PlannedRestoreResult, RecoveryPlanArgs } from "pulumi-recovery";
import { declarePlan, planned } from "./support/plans";
import { useScene } from "./support/scene";
import { config, panelOfTwelve, timeouts, twelve } from "./support/twelve-machines";

describe("a recovery plan that goes on, or misses a goal, on the real engine", () => {
  const scene = useScene();

  it("onFailure continue: the later waves run, and the verdict fails the run, again on the next one", async () => {
    const panel = await panelOfTwelve(scene);
    panel.failNext(101, "failed");
    const stack = await planned(scene, twelve({ onFailure: "continue" }), { config });

    const run = await stack.upFails();
    assert.match(run.stdout, /plan "shop", run "first": failed/);
    assert.match(run.stdout, /vm-101 \(wave data\): the restore ended as failed/);
    assert.equal(panel.acceptedPosts(), 12);
    const again = await stack.upFails();
    assert.match(again.stdout, /plan "shop", run "first": failed/);
    assert.equal(panel.acceptedPosts(), 12);

    await stack.refresh();
    const end = await stack.up();
    assert.equal(end.outputs["verdict"]?.value, "passed");
    assert.equal(panel.acceptedPosts(), 13);
  });

  it("a machine that fails before its files come back is restored again after a refresh, and their transaction is not taken for it", async () => {
    const panel = await panelOfTwelve(scene, 1);
    panel.failNext(101, "failed");
    const machine = { virtualMachineId: 101, recoveryPointId: 1, timeouts };
    const restores = { web: machine, content: { ...machine, paths: ["/var/www"] } };
    const stack = await planned(scene, { run: "first", waves: [{ name: "front", restores }] }, { config });
    await stack.upFails();
    assert.equal(panel.acceptedPosts(), 2);

    await stack.refresh();
    const end = await stack.up();
    assert.equal(end.outputs["verdict"]?.value, "passed");
    const { web, content } = end.outputs["restores"]?.value as Record<string, PlannedRestoreResult>;
    assert.deepEqual([web?.adopted, content?.adopted], [false, false]);
    const [failed, files, again] = panel.restores().map(({ transactionId }) => transactionId);
    assert.deepEqual(
      [web?.transactionIds, content?.transactionIds],
      [[again], [files]],
      `after ${String(failed)} had failed`,
    );
    assert.equal(panel.acceptedPosts(), 3);
  });

  it("a missed goal fails the run once more on the next one, and warns where it is to warn", async () => {
    const panel = await panelOfTwelve(scene, 4);
    panel.failNext(101, { seconds: 100 });
    const plan: RecoveryPlanArgs = { ...twelve({ goals: { recoveryTime: 1 } }), waves: twelve().waves.slice(0, 1) };
    const stack = await planned(scene, plan, { config });

    for (const run of [await stack.upFails(), await stack.upFails()]) {
      assert.match(run.stdout, /vm-101: the recovery time was .*, the goal is 1s/);
    }
    await stack.configure(declarePlan({ ...plan, onMissedGoal: "warn" }));
    const warned = await stack.up();
    assert.equal(warned.outputs["verdict"]?.value, "passed with warnings");
    assert.equal(panel.acceptedPosts(), 4);
  });
});
