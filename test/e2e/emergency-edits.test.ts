import assert from "node:assert/strict";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { declarePlan, planned, planTimeouts as timeouts, reported } from "./support/plans";
import { needsProcesses } from "./support/processes";
import { type Sandbox, useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

type Restores = RecoveryPlanArgs["waves"][number]["restores"];

const machine = (virtualMachineId: number, recoveryPointId: number) => ({
  virtualMachineId,
  recoveryPointId,
  timeouts,
});
const db = machine(42, 1009);
const web = machine(43, 1009);

/** The two waves of the run that is edited. */
const shop = (data: Restores, front: Restores = {}, more: Partial<RecoveryPlanArgs> = {}): RecoveryPlanArgs => ({
  run: "Q1",
  waves: [
    { name: "data", restores: data },
    { name: "front", restores: front },
  ],
  ...more,
});

/** The restores that the panel carried out, oldest first. */
function sent(panel: Sandbox): readonly string[] {
  return panel.restores().map(({ machineId, recoveryPointId }) => `${machineId} from ${recoveryPointId}`);
}

describe("a plan that is edited in an emergency on the real engine", () => {
  const scene = useScene();

  needsProcesses();

  it("restores from the right point once the restore from the wrong point, sent by a killed `up`, has ended", async () => {
    const panel = await scene.panel({ speed: 1 });
    const stack = await planned(scene, shop({ db }));
    panel.failNext(42, { seconds: 6 });
    const run = stack.start();
    await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the POST");
    run.killCli();
    await run.ended;
    await stack.cancel().catch(() => undefined);
    panel.failNext(42, { seconds: 1 });

    await stack.configure(declarePlan(shop({ db: machine(42, 1007) })));
    assert.match((await stack.preview()).stdout, /1 of 1 will be restored.*: db/);
    const { outputs } = await stack.up();
    assert.deepEqual(sent(panel), ["42 from 1009", "42 from 1007"]);
    assert.equal(outputs["verdict"]?.value, "passed with warnings");
    assert.match(
      String(outputs["reasons"]?.value),
      /db: stopped at .*: requested by an `up` that left no record, so it may have been sent; it has changed since then/,
    );
  });

  it("keeps a restore that was already sent for the wrong machine, and restores the right machine once it is added", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await planned(scene, shop({ db }));
    panel.failNext(42, "failed");
    await stack.upFails();
    const right = machine(44, 1009);
    for (const [data, refusal] of [
      [
        { db: right },
        /db cannot restore machine 44 in this run: a restore of machine 42 was already sent for it \(transaction \d+\)\. Change db back and add a restore of machine 44 under another name; to give up on db, set retryFailed: false \(it is not sent again\) and onFailure: "continue" \(the later waves start\)/,
      ],
      [{ right }, /db cannot be removed, renamed or moved in this run: a restore of machine 42 was already sent/],
    ] as const) {
      await stack.configure(declarePlan(shop(data)));
      assert.match((await stack.previewFails()).stdout, refusal);
    }
    assert.deepEqual(sent(panel), ["42 from 1009"]);

    const given = shop({ db: { ...db, retryFailed: false }, right }, { web }, { onFailure: "continue" });
    await stack.configure(declarePlan(given));
    assert.match(
      (await stack.preview()).stdout,
      /1 of 2 will be restored: right \(not sent yet\); 1 of 2 left as is: db\n[^]* db: transaction \d+ failed, and retryFailed is false: set new triggers to restore it again/,
    );
    await stack.upFails();
    assert.deepEqual(sent(panel), ["42 from 1009", "44 from 1009", "43 from 1009"]);
    const { result, reasons } = await reported(stack);
    assert.equal(result, "failed");
    assert.match(reasons.join("\n"), /db failed \(transaction \d+\)/);
  });
});
