import assert from "node:assert/strict";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { report, toHtml, toJunit, toMarkdown } from "../../report";
import { needsProcesses } from "./support/processes";
import { declarePlan, planned } from "./support/plans";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

const timeouts = { listed: "2s", busy: "20s", queue: "30s", run: "60s" };
const config = { "recovery:requestTimeout": "3s" };

const plan: RecoveryPlanArgs = {
  run: "first",
  kind: "drill",
  goals: { recoveryTime: "1h", dataAge: "1d" },
  wholeGoals: { recoveryTime: "2h" },
  notes: { owner: "Platform team" },
  waves: [
    {
      name: "data",
      restores: {
        db: { virtualMachineId: 42, recoveryPointId: 1007, recoveryPointTakenAt: new Date().toISOString(), timeouts },
      },
    },
    {
      name: "front",
      goals: { dataAge: "2d" },
      restores: {
        web: { virtualMachineId: 43, recoveryPointId: 1008, recoveryPointTakenAt: new Date().toISOString(), timeouts },
        content: {
          virtualMachineId: 43,
          recoveryPointId: 1009,
          paths: ["/var/www"],
          recoveryPointTakenAt: new Date().toISOString(),
          timeouts,
        },
      },
    },
  ],
};

describe("the report of a plan on the real engine", () => {
  const scene = useScene();

  needsProcesses();

  it("is of this run: passed, then incomplete when the next one is killed, then failed", async function () {
    this.timeout(400_000);
    const panel = await scene.panel({ speed: 20 });
    const stack = await planned(scene, plan, { config });

    const { outputs } = await stack.up();
    const passed = report(await stack.exportState());
    assert.equal(outputs["verdict"]?.value, "passed");
    assert.deepEqual([passed.verdict.result, passed.verdict.from, passed.verdict.reasons], ["passed", "stored", []]);
    assert.deepEqual(
      passed.waves.map(({ name, state, restores }) => [name, state, restores.map((step) => step.name)]),
      [
        ["data", "ended", ["db"]],
        ["front", "ended", ["content", "web"]],
      ],
    );
    assert.equal(
      passed.goals.every(({ verdict }) => verdict === "met"),
      true,
      JSON.stringify(passed.goals),
    );
    assert.equal(passed.goals.length, 7);
    assert.ok((passed.measured.recoveryTimeSeconds ?? 0) > 0);
    assert.deepEqual(
      [passed.run.name, passed.run.kind, passed.run.notes],
      ["first", "drill", { owner: "Platform team" }],
    );
    for (const render of [toHtml, toMarkdown, toJunit]) assert.ok(render(passed).length > 1_000);

    await stack.configure(declarePlan({ ...plan, run: "second" }));
    panel.failNext(43, { outcome: "complete", seconds: 600 });
    const run = await stack.start("up");
    await waitUntil(() => panel.acceptedPosts() === 5, 120_000, "the second wave to be posted");
    // Only while the wave waits the engine writes nothing: a backend of files that is cut off while it writes is another matter.
    await run.output(/shop-wave-front .*\d of \d/);
    run.killCli();
    await run.ended;
    const killed = report(await stack.exportState());
    assert.equal(killed.verdict.result, "incomplete");
    assert.equal(killed.run.name, "second");
    assert.match(killed.verdict.reasons[0] ?? "", /The run broke off|How the restore web ends is not known/);
    assert.deepEqual(
      killed.waves.map(({ state }) => state),
      ["ended", "not ended"],
    );
    assert.equal(killed.waves[0]?.restores[0]?.result, "complete");
    assert.notDeepEqual(killed.waves[0]?.restores[0]?.transactionIds, passed.waves[0]?.restores[0]?.transactionIds);
    await stack.cancel();

    await stack.configure(declarePlan({ ...plan, run: "third" }));
    panel.failNext(42, "failed");
    await stack.upFails();
    const failed = report(await stack.exportState());
    assert.equal(failed.verdict.result, "failed", failed.verdict.reasons.join(" "));
    assert.deepEqual(
      failed.notCarriedOut.map(({ restore, what }) => [restore, what]),
      [
        ["content", "not begun"],
        ["web", "not begun"],
      ],
    );
  });
});
