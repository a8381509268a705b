import assert from "node:assert/strict";
import type { PlannedRestoreResult, RecoveryPlanArgs } from "pulumi-recovery";
import type { ReadyResult } from "../../cli/commands";
import { commandOver } from "./support/command";
import { declarePlan, planned, planTimeouts as timeouts, reported, urnsOf } from "./support/plans";
import { useScene, type Sandbox } from "./support/scene";
import { useService } from "./support/service";
import type { Run } from "./support/run";
import type { TestStack } from "./support/stack";

type Restores = RecoveryPlanArgs["waves"][number]["restores"];

const db = { virtualMachineId: 42, recoveryPointId: 1007, timeouts };
const web = { virtualMachineId: 43, recoveryPointId: 1008, timeouts };
const content = { ...web, recoveryPointId: 1009, paths: ["/var/www"] };

/** Two waves: a machine, then another machine and its files. */
function shop(more: Partial<RecoveryPlanArgs> = {}, data: Restores = {}, front: Restores = {}): RecoveryPlanArgs {
  const waves = [
    { name: "data", restores: { db, ...data } },
    { name: "front", restores: { web, content, ...front } },
  ];
  return { run: "Q1", waves, ...more };
}

describe("a recovery plan on the real engine", () => {
  const scene = useScene();
  let status = 200;
  const service = useService((_, response) => response.writeHead(status).end("the shop is open"));

  const verdictOf = ({ outputs }: Run): unknown => outputs["verdict"]?.value;
  const machines = (panel: Sandbox): string =>
    panel
      .restores()
      .map(({ machineId }) => machineId)
      .join(" ");
  const change = (stack: TestStack, plan: RecoveryPlanArgs): Promise<void> => stack.configure(declarePlan(plan));

  it("restores in waves with one POST per restore, does nothing when unchanged, and restores everything under a new run name", async () => {
    const panel = await scene.panel({ speed: 50 });
    const checks = [{ http: service.url, contains: "open" }];
    const plan = shop({ goals: { recoveryTime: "1h" } }, { db: { ...db, checks } });
    const stack = await planned(scene, plan);

    const first = await stack.up();
    assert.deepEqual([verdictOf(first), first.outputs["reasons"]?.value], ["passed", []]);
    assert.equal(machines(panel), "42 43 43");
    const results = first.outputs["restores"]?.value as Record<string, PlannedRestoreResult>;
    const at = (name: string, stamp: "requestedAt" | "finishedAt") => Date.parse(results[name]?.[stamp] ?? "");
    assert.ok(
      at("db", "finishedAt") <= at("web", "requestedAt") && at("web", "finishedAt") <= at("content", "requestedAt"),
    );
    assert.deepEqual(
      Object.values(results).map(({ status }) => status),
      ["complete", "complete", "complete"],
    );
    assert.match(
      first.stdout,
      /shop-wave-data creating .*0 of 1 done\n[^]*db: transaction \[\d+\]\n[^]*db: complete in \d+s \(transaction \[\d+\]\)\n[^]*1 of 1 done/,
    );

    await stack.up({ expectNoChanges: true, refresh: true });
    await change(stack, { ...plan, run: "Q2" });
    const second = await stack.up();
    assert.match(
      second.stdout,
      /warning: 2 of 2 will be restored again: web, content \(run Q2\)\n {6}web: run Q2: machine 43 from recovery point 1008\n/,
    );
    assert.equal(verdictOf(second), "passed");
    assert.equal(machines(panel), "42 43 43 42 43 43");
  });

  it("sends failed restores again, shows them in the preview and the wait in the progress, and keeps the failure in the verdict", async () => {
    const panel = await scene.panel({ speed: 50 });
    panel.failNext(42, "failed");
    const mail = { virtualMachineId: 44, recoveryPointId: 1009, timeouts };
    // The progress is updated every five seconds.
    const patient = { ...db, timeouts: { ...timeouts, listed: "6s" } };
    const checked = { db: patient, mail: { ...mail, checks: [{ http: service.url, every: "1s", within: "2s" }] } };
    const stack = await planned(scene, shop({ wholeGoals: { recoveryTime: "1h" } }, checked));
    status = 503;
    const failed = await stack.upFails();
    assert.match(failed.stdout, /2 of 2 restores of the wave are not complete and checked/);
    assert.match(
      failed.stdout,
      /restore "db" \(machine 42, recovery point 1007\) failed: transaction \d+ ended as failed/,
    );
    assert.match(failed.stdout, /mail: check http 127\.0\.0\.1 did not pass: the response was 503/);
    assert.doesNotMatch(failed.stdout, /the shop is open/);
    assert.equal(machines(panel), "42 44", "the second wave waits");
    assert.equal((await reported(stack)).result, "failed");

    const preview = await stack.preview();
    assert.match(
      preview.stdout,
      /1 of 2 will be restored again: db \(failed\); 1 of 2 checked again: mail\n {6}db: machine 42 from recovery point 1007: transaction \d+ failed\n {6}mail: checked again, not sent: http 127/,
    );
    status = 200;
    const next = await stack.up();
    assert.match(next.stdout, /1 of 2 done, db: looking for a newer restore of the machine, until \d\d:\d\d/);
    assert.equal(machines(panel), "42 44 42 43 43");
    assert.equal(verdictOf(next), "passed with warnings");
    const reasons = (next.outputs["reasons"]!.value as readonly string[]).join("\n");
    for (const told of [
      /db: an attempt ended as failed at [^;]*; was restored 2 times in this run\n[^]*the recovery time includes waits \(\d+s of it looking for earlier attempts/,
      /mail: check http 127\.0\.0\.1 did not pass at /,
    ])
      assert.match(reasons, told);
  });

  it("restores only what was changed, and sends nothing that --target left out of a run", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await planned(scene, shop());
    await stack.up();
    await change(stack, shop({}, { db: { ...db, recoveryPointId: 1008 } }));
    assert.match(
      (await stack.previewFails()).stdout,
      /this `pulumi up` sent no restore of the wave: db is complete and checked, and this change would restore machine 42 again, from recovery point 1008\. Give db new triggers/,
    );
    const again = { db: { ...db, recoveryPointId: 1008, triggers: ["bad point"] } };
    await change(stack, shop({}, again));
    const changed = await stack.up();
    assert.match(changed.stdout, /warning: 1 of 1 will be restored again: db \(point, triggers changed\)/);
    assert.equal(verdictOf(changed), "passed with warnings");
    assert.match(
      String(changed.outputs["reasons"]?.value),
      /the plan was changed after it began: waves\.data\.db \(\d\d:\d\d UTC\)/,
    );
    const posted = "42 43 43 42";
    assert.equal(machines(panel), posted);

    const replaced = await stack.up({ replace: await urnsOf(stack, /shop-(run|wave-.*|verdict)$/) });
    assert.match(replaced.stdout, /replaced, but its record was kept, so nothing is restored/);
    assert.equal(machines(panel), posted);

    // A new run is saved first, so its waves are rejected if --target leaves the run out.
    panel.failNext(42, "failed");
    await change(stack, shop({ run: "Q2" }, again));
    const { stdout } = await stack.upFails({ target: await urnsOf(stack, /shop-wave-data(-intent)?$/) });
    assert.match(stdout, /`--target` or `--exclude` left out a previous part of the plan/);
    assert.equal(machines(panel), posted);
    await stack.upFails({ target: await urnsOf(stack, /shop-(run|wave-data(-intent)?)$/) });
    assert.equal(machines(panel), `${posted} 42`);
    assert.equal((await reported(stack)).result, "failed");
    assert.equal((await commandOver(scene, stack, ["report", "--gate"])).code, 1);
    await stack.up({ exclude: await urnsOf(stack, /shop-(wave-front.*|verdict)$/) });
    assert.equal((await reported(stack)).result, "incomplete", "the front was not restored in Q2");
    assert.equal(verdictOf(await stack.up()), "passed with warnings");
    assert.equal(machines(panel), `${posted} 42 42 43 43`);
    const { out } = await commandOver(scene, stack, ["ready", "--proven-within", "90d", "--json"], panel);
    const ready = (JSON.parse(out) as ReadyResult).restores.map(({ name, readiness }) => `${name} ${readiness}`);
    assert.deepEqual(ready, ["db ready", "web ready", "content ready"]);
  });
});
