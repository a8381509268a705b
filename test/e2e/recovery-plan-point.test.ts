import assert from "node:assert/strict";
import type { PlannedRestoreResult, RecoveryPlanArgs } from "pulumi-recovery";
import { report } from "../../report";
import { long } from "../support/thorough";
import { declarePlan, planned, planTimeouts as timeouts } from "./support/plans";
import { useScene } from "./support/scene";
import type { Run } from "./support/run";

const hour = 3_600;
const machines = [42, 43].map((id) => ({
  id,
  recoveryPoints: [
    { id: id * 100 + 1, ageSeconds: 30 * hour },
    { id: id * 100 + 2, ageSeconds: 3 * hour },
  ],
}));
const web = { virtualMachineId: 42, timeouts, goals: { dataAge: "48h" } };
const content = { virtualMachineId: 42, recoveryPointId: 4202, paths: ["/var/www"], timeouts };
const shop = (more: Partial<RecoveryPlanArgs> = {}, limits = {}): RecoveryPlanArgs => ({
  run: "Q1",
  recoveryPoint: "newest",
  waves: [
    { name: "data", restores: { db: { virtualMachineId: 43, timeouts: { ...timeouts, ...limits }, goals: { dataAge: "24h" } } } }, // prettier-ignore
    { name: "front", recoveryPoint: { pick: "oldest" }, restores: { web, content } },
  ],
  onMissedGoal: "warn",
  ...more,
});

describe("a plan whose recovery points are chosen by rules, on the real engine", () => {
  const scene = useScene();

  long.it("chooses once for each run, by the nearest rule, measures by the panel's time, and reports it", async () => {
    const panel = await scene.panel({ speed: 50, scenario: { machines } });
    const stack = await planned(scene, shop());
    const points = (from: number): string => panel.restores().slice(from).map(({ recoveryPointId }) => recoveryPointId).join(" "); // prettier-ignore
    const results = (run: Run) => run.outputs["restores"]?.value as Record<string, PlannedRestoreResult>;
    const ageOf = (run: Run, name: string): number | undefined => results(run)[name]?.goals[0]?.measuredSeconds;

    const first = await stack.up();
    assert.equal(points(0), "4302 4201 4202");
    assert.ok(Math.abs((ageOf(first, "db") ?? 0) - 3 * hour) < 600, String(ageOf(first, "db")));
    assert.ok(Math.abs((ageOf(first, "web") ?? 0) - 30 * hour) < 600, String(ageOf(first, "web")));
    assert.ok(results(first)["db"]?.recoveryPointTakenAt !== undefined);

    // Newer backups, other limits, and an incident before the chosen point: nothing is chosen or sent.
    for (const { id } of machines) panel.addRecoveryPoint(id, { id: id * 100 + 3 });
    await stack.preview({ expectNoChanges: true });
    const incidentAt = new Date(Date.now() - 5 * hour * 1_000).toISOString();
    await stack.configure(declarePlan(shop({ incidentAt }, { run: "3h" })));
    const judged = await stack.upFails();
    assert.match(judged.stdout, /db was restored from a point of .*, after the incident of /);
    assert.equal(panel.acceptedPosts(), 3);

    // A new run chooses anew, now before the incident; what has failed is restored again from the same point.
    panel.failNext(43, "failed");
    await stack.configure(declarePlan(shop({ incidentAt, run: "Q2" })));
    await stack.upFails();
    for (const { id } of machines) panel.addRecoveryPoint(id, { id: id * 100 + 4, ageSeconds: 6 * hour });
    const second = await stack.up();
    assert.equal(points(3), "4301 4301 4201 4202");
    assert.equal(second.outputs["verdict"]?.value, "passed with warnings");
    const { chosenBy } = report(await stack.exportState()).waves[0]?.restores[0] ?? {};
    assert.deepEqual([chosenBy?.listed, chosenBy?.fitted], [3, 1]);
    await stack.up({ expectNoChanges: true, refresh: true });
  });

  long.it("has no data age where adopt named a transaction, whose point nobody chose", async () => {
    const panel = await scene.panel({ speed: 50, scenario: { machines } });
    const id = panel.postRestoreAsSomebodyElse(43, 4301);
    const db = { virtualMachineId: 43, adopt: id, timeouts, goals: { dataAge: "24h" } };
    const stack = await planned(scene, shop({ waves: [{ name: "data", restores: { db } }], onMissedGoal: "fail" }));
    const { stdout } = await stack.upFails();
    assert.match(stdout, /db: data age not measured, goal 1d/);
    assert.match(stdout, /db was adopted \(transaction \d+\): adopt names it/);
    assert.deepEqual([panel.acceptedPosts(), panel.restores().length], [0, 1]);
  });
});
