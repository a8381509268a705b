import assert from "node:assert/strict";
import type { PlannedRestoreResult, RecoveryPlanArgs } from "pulumi-recovery";
import { declarePlan, planned, planTimeouts as timeouts } from "./support/plans";
import { useScene } from "./support/scene";
import { useService } from "./support/service";

describe("a recovery plan on the real engine", () => {
  const scene = useScene();
  const service = useService((_, response) => response.writeHead(200).end("the shop is open"));

  it("restores in waves with one POST per restore, does nothing when unchanged, and restores everything under a new run name", async () => {
    const panel = await scene.panel({ speed: 50 });
    const web = { virtualMachineId: 43, recoveryPointId: 1008, timeouts };
    const content = { ...web, recoveryPointId: 1009, paths: ["/var/www"] };
    const checks = [{ http: service.url, contains: "open" }];
    const plan: RecoveryPlanArgs = {
      run: "Q1",
      goals: { recoveryTime: "1h" },
      waves: [
        { name: "data", restores: { db: { virtualMachineId: 42, recoveryPointId: 1007, timeouts, checks } } },
        { name: "front", restores: { web, content } },
      ],
    };
    const stack = await planned(scene, plan);

    const first = await stack.up();
    assert.deepEqual([first.outputs["verdict"]?.value, first.outputs["reasons"]?.value], ["passed", []]);
    const results = first.outputs["restores"]?.value as Record<string, PlannedRestoreResult>;
    const at = (name: string, stamp: "requestedAt" | "finishedAt") => Date.parse(results[name]?.[stamp] ?? "");
    assert.ok(
      at("db", "finishedAt") <= at("web", "requestedAt") && at("web", "finishedAt") <= at("content", "requestedAt"),
    );
    const statuses = Object.values(results).map(({ status }) => status);
    assert.deepEqual(statuses, ["complete", "complete", "complete"]);
    assert.match(
      first.stdout,
      /shop-wave-data creating .*0 of 1 done\n[^]*db: transaction \[\d+\]\n[^]*db: complete in \d+s \(transaction \[\d+\]\)\n[^]*1 of 1 done/,
    );

    await stack.up({ expectNoChanges: true, refresh: true });
    await stack.configure(declarePlan({ ...plan, run: "Q2" }));
    const second = await stack.up();
    assert.match(
      second.stdout,
      /warning: 2 of 2 will be restored again: web, content \(run Q2\)\n {6}web: run Q2: machine 43 from recovery point 1008\n/,
    );
    assert.equal(second.outputs["verdict"]?.value, "passed");
    const restored = panel.restores().map(({ machineId }) => machineId);
    assert.deepEqual(restored, ["42", "43", "43", "42", "43", "43"]);
  });
});
