import assert from "node:assert/strict";
import type { PlannedRestoreResult, RecoveryPlanArgs } from "pulumi-recovery";
import { report } from "../../report";
import { declarePlan, planned } from "./support/plans";
import { useScene, type Sandbox } from "./support/scene";
import type { Run } from "./support/run";
import { long } from "../support/thorough";

const hour = 3_600;
const timeouts = { listed: "2s" };
const machines = [42, 43].map((id) => ({
  id,
  recoveryPoints: [
    { id: id * 100 + 1, ageSeconds: 30 * hour },
    { id: id * 100 + 2, ageSeconds: 3 * hour },
  ],
}));
const shop: RecoveryPlanArgs = {
  run: "first",
  recoveryPoint: "newest",
  goals: { dataAge: "24h" },
  waves: [
    { name: "data", restores: { db: { virtualMachineId: 43, timeouts } } },
    {
      name: "front",
      recoveryPoint: { pick: "oldest" },
      restores: {
        web: { virtualMachineId: 42, timeouts, goals: { dataAge: "48h" } },
        content: { virtualMachineId: 42, recoveryPointId: 4202, paths: ["/var/www"], timeouts, goals: {} },
      },
    },
  ],
  onMissedGoal: "warn",
};

const pointsPosted = (panel: Sandbox): unknown[] => panel.restores().map(({ recoveryPointId }) => recoveryPointId);
const resultsOf = (run: Run) => run.outputs["restores"]?.value as Record<string, PlannedRestoreResult>;
const replaced = (run: Run) => (run.changes as Record<string, number>)["replace"];

describe("a plan whose recovery points are chosen by rules, on the real engine", () => {
  const scene = useScene();

  long.it("chooses once for each run, by the nearest rule, measures by the panel's time, and reports it", async () => {
    const panel = await scene.panel({ speed: 50, scenario: { machines } });
    const stack = await planned(scene, shop);

    const first = await stack.up();
    assert.deepEqual(pointsPosted(panel), ["4302", "4201", "4202"]);
    const { db, web, content } = resultsOf(first);
    assert.deepEqual(
      [db?.recoveryPointId, db?.recoveryPoint, db?.chosenFrom],
      ["4302", { pick: "newest" }, { listed: 2, fitted: 2 }],
    );
    assert.ok(Math.abs((db?.dataAgeSeconds ?? 0) - 3 * hour) < 600, String(db?.dataAgeSeconds));
    assert.ok(Math.abs((web?.dataAgeSeconds ?? 0) - 30 * hour) < 600, String(web?.dataAgeSeconds));
    assert.deepEqual([content?.recoveryPoint, content?.dataAgeSeconds], [undefined, undefined]);

    // Newer backups, and other limits: no restore is another one for that, and no preview says so.
    for (const { id } of machines) panel.addRecoveryPoint(id, { id: id * 100 + 3 });
    await stack.preview({ expectNoChanges: true });
    const [data, front] = shop.waves;
    const limited = { ...data!, restores: { db: { ...data!.restores["db"]!, timeouts: { ...timeouts, run: "3h" } } } };
    await stack.configure(declarePlan({ ...shop, waves: [limited, front!] }));
    const preview = await stack.preview();
    assert.equal(replaced(preview), undefined, preview.stdout);
    await stack.up();
    assert.equal(panel.acceptedPosts(), 3);

    // Where it happened before the point was taken: measured anew, and nothing chosen.
    const incidentAt = new Date(Date.now() - 5 * hour * 1_000).toISOString();
    const moved = { ...shop, waves: [limited, front!], incidentAt };
    await stack.configure(declarePlan(moved));
    assert.equal(replaced(await stack.preview()), undefined);
    const after = await stack.up();
    assert.equal(resultsOf(after)["db"]?.dataAgeSeconds, undefined);
    assert.equal(panel.acceptedPosts(), 3);
    const told = report(await stack.exportState());
    const chosenBefore = told.deviations.filter(({ text }) => /incidentAt was changed after/.test(text));
    assert.deepEqual(
      chosenBefore.map(({ restore }) => restore),
      ["db", "web"],
    );

    // A new run chooses anew, now before the incident.
    await stack.configure(declarePlan({ ...moved, run: "second" }));
    const second = await stack.up();
    assert.deepEqual(pointsPosted(panel).slice(3), ["4301", "4201", "4202"]);
    assert.deepEqual(resultsOf(second)["db"]?.chosenFrom, { listed: 3, fitted: 1, incidentAt });
    const { plan, waves, verdict } = report(await stack.exportState());
    // Against the plan with which the first run began. Each run has its own incident.
    assert.deepEqual([plan?.changedPaths, verdict.from], [["waves.data.restores.db.timeouts.run"], "stored"]);
    assert.deepEqual(waves[0]?.restores[0]?.chosenBy, {
      rule: "the newest",
      listed: 3,
      fitted: 1,
      incidentAt: incidentAt.replace(/\.000Z$/, "Z"),
    });
    await stack.refresh();
    await stack.up({ expectNoChanges: true });
  });

  long.it("has no data age where adopt named a transaction, and no preview shows a change of it", async () => {
    const panel = await scene.panel({ speed: 50, scenario: { machines } });
    const stack = await planned(scene, { ...shop, goals: {}, waves: [shop.waves[0]!] });
    await stack.up();
    const [made] = panel.restores();
    const adopting = { virtualMachineId: 43, adopt: made!.transactionId, timeouts };
    const other = await planned(scene, { ...shop, waves: [{ name: "data", restores: { db: adopting } }] });
    const { outputs, stdout } = await other.up();
    assert.equal(outputs["verdict"]?.value, "incomplete", stdout);
    assert.match(String(outputs["reasons"]?.value), /data age could not be measured/);
    assert.equal(panel.acceptedPosts(), 1);
    await other.preview({ expectNoChanges: true });
  });
});
