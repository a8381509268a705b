import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { mocks, type MockOptions } from "../../../drills/testing";
import { plannedResults } from "../../../drills/program/results";
import { RecoveryPlan, type RecoveryPlanArgs, type RecoveryWaveArgs } from "../../../provider";
import { PlanLab, planOf, restore } from "../engine/support/plan-lab";
import { seen, Thing } from "../../program/support/program";
import { heardErrors, heardWarnings } from "../../program/support/heard";

const now = "2026-11-20T10:00:00Z";
const web = { virtualMachineId: 42, recoveryPointId: 1007, recoveryPointTakenAt: "2026-11-20T02:00:00Z" };
const checks = [
  { tcp: "10.0.0.43:5432", after: "30s", every: "1s", within: 2, name: "port" },
  { command: ["/nowhere/at-all"], env: { PASSWORD: pulumi.secret("hunter2") } },
];
const data: RecoveryWaveArgs = {
  name: "data",
  restores: {
    db: { ...web, virtualMachineId: 43, checks, goals: {}, retryFailed: false, timeouts: { run: "2h", settle: 15 } },
    queue: { virtualMachineId: 44, recoveryPoint: "newest", triggers: [pulumi.secret("again"), null] },
  },
};
const front: RecoveryWaveArgs = {
  name: "front",
  restores: {
    web: { ...web, checks: [{ http: pulumi.secret("https://shop.example.com/health") }] },
    content: { ...web, paths: ["/var/www", "/etc"], captureLog: "always" },
  },
};
/** A plan with all kinds of arguments. */
const shop: RecoveryPlanArgs = {
  ...{ run: "2026-Q4", kind: "recovery", notes: { owner: "Anna" }, incidentAt: "2026-11-20T10:30:00+01:00" },
  ...{ goals: { recoveryTime: "1h", dataAge: "24h" }, wholeGoals: {}, onMissedGoal: "warn" },
  waves: [data, { ...front, goals: { recoveryTime: "1h" } }],
};
const points = { "44": [{ id: "7", takenAt: "2026-11-19T22:00:00Z" }] };

describe("a plan under mocks", () => {
  heardWarnings();
  const printed = heardErrors();
  beforeEach(() => {
    pulumi.runtime.setAllConfig({});
  });

  const set = (options: MockOptions, preview = false): Promise<void> =>
    pulumi.runtime.setMocks(mocks({ now, ...options }), "project", "stack", preview);
  const resultOf = async (plan: RecoveryPlan) => {
    const { verdict, reasons, recoveryTimeSeconds: seconds, restores } = plan;
    const { value } = await seen(pulumi.output({ verdict, reasons, seconds, results: restores }));
    const { results, ...others } = value ?? assert.fail();
    const states = Object.fromEntries(Object.entries(results).map(([name, { status }]) => [name, status]));
    return { ...others, states, results };
  };
  const judged = async (options: MockOptions, more: Partial<RecoveryPlanArgs> = {}) => {
    await set(options);
    return resultOf(new RecoveryPlan("shop", { ...shop, ...more }));
  };

  for (const preview of [false, true])
    it(`passes in ${preview ? "a preview" : "an `up`"} with realistic times, without running any checks`, async () => {
      await set({ points }, preview);
      const { verdict, reasons, seconds, states, results } = await resultOf(new RecoveryPlan("shop", shop));
      assert.deepEqual([verdict, reasons], ["passed", []]);
      assert.deepEqual(states, { db: "complete", queue: "complete", web: "complete", content: "complete" });
      const { queue, content } = results;
      assert.deepEqual([queue?.recoveryPointId, queue?.recoveryPointTakenAt], ["7", "2026-11-19T22:00:00Z"]);
      // Wave `data` comes first, and its check waits for half a minute. `web` follows, and then its files.
      assert.deepEqual([content?.requestedAt, content?.durationSeconds, seconds], ["2026-11-20T10:02:30Z", 60, 210]);
    });

  for (const failed of [[], ["db"]])
    it(`has the same verdict, reasons and results as a real run when ${failed[0] ?? "nothing"} fails`, async () => {
      const files = restore("42", "1007", { paths: ["/srv"] });
      const first = { db: restore("42", "1007"), files, mail: restore("44", "1007") };
      const more = { onFailure: "continue", goals: { recoveryTime: "1h" } };
      const plan = planOf({ data: first, front: { web: restore("43", "1007") } }, more);
      const lab = new PlanLab();
      lab.panel.onMade = (work) =>
        void (work.outcome = failed.length > 0 && work.machine === "42" ? "failed" : "complete");
      await lab.up(plan);
      const storedOf = (name: string) => {
        const { restores } = lab.outputsOf(`wave-${name}-intent`);
        return { name, restores, record: lab.outputsOf(`wave-${name}`)["record"] };
      };
      const real = plannedResults(["data", "front"].map(storedOf));
      await set({ failed });
      const mocked = await resultOf(new RecoveryPlan("shop", plan as RecoveryPlanArgs));
      assert.equal(mocked.verdict, lab.verdict?.verdict);
      assert.equal(mocked.reasons.join("\n"), lab.reasons);
      const shapesOf = (results: typeof real) =>
        Object.entries(results).map(([name, result]) => [name, result.status, Object.keys(result).sort()]);
      assert.deepEqual(shapesOf(mocked.results), shapesOf(real));
    });

  it("fails, and begins no later wave, when `failed` contains a restore's name prefixed with its plan's name", async () => {
    const { verdict, reasons, states } = await judged({ points, failed: ["shop-db", "content"] });
    assert.equal(verdict, "failed");
    assert.equal(reasons[0], "db failed (transaction 5001)");
    assert.match(reasons.join("\n"), /^web was not sent$/m);
    assert.deepEqual(states, { db: "failed", queue: "complete" });
  });

  it("stops before a wave whose rule finds no point, and prints why", async () => {
    const { verdict, states } = await judged({ points: { "44": [] } });
    assert.deepEqual([verdict, states], ["incomplete", {}]);
    assert.match(printed.join("\n"), /RecoveryPlan "shop": no recovery point of machine 44 was chosen/);
  });

  it("stops before anything is sent if a machine is not allowed, as a preview does", async () => {
    pulumi.runtime.setAllConfig({ "recovery:allowedMachines": "43,44" });
    const { verdict, states } = await judged({ points }, { onFailure: "continue" });
    assert.deepEqual([verdict, states], ["incomplete", {}]);
    assert.match(printed[0] ?? "", /^RecoveryPlan "shop": waves\.front\.restores\.web: machine 42 is not among/);
    pulumi.runtime.setAllConfig({ "recovery:allowedMachines": "" });
    const { states: none } = await judged({ points });
    assert.deepEqual([none, printed.some((line) => line.includes("recovery:allowedMachines"))], [{}, true]);
  });

  it("adopts the transaction that adopt names, and reports it", async () => {
    const restores = { web: { ...web, adopt: "77" } };
    const { verdict, reasons, results } = await judged({}, { waves: [{ name: "only", restores }] });
    assert.deepEqual([verdict, results["web"]?.transactionId], ["passed with warnings", "77"]);
    assert.match(reasons.join("\n"), /web was adopted \(transaction 77\)/);
  });

  it("is judged separately in each program under the same mocks, even with resources between its waves", async () => {
    const shared = mocks({ now, points, failed: ["db"] });
    for (const run of ["1", "2"]) {
      await pulumi.runtime.setMocks(shared);
      const dependsOn: RecoveryWaveArgs["dependsOn"] = ({ data: before }) => new Thing("dns", { dependsOn: before! });
      const plan = new RecoveryPlan("shop", { ...shop, run, waves: [data, { ...front, dependsOn }] });
      assert.deepEqual((await resultOf(plan)).states, { db: "failed", queue: "complete" });
    }
  });
});
