import assert from "node:assert/strict";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { declarePlan, planned } from "./support/plans";
import { useScene } from "./support/scene";
import { config, panelOfTwelve, twelve } from "./support/twelve-machines";

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
