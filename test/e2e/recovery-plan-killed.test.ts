import assert from "node:assert/strict";
import { long } from "../support/thorough";
import { killers } from "./killing/killers";
import { killPlan, stations, type PlanKiller, type StationName } from "./killing/plan";
import { planned, planTimeouts as timeouts, reported } from "./support/plans";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

describe("the next up finishes a killed plan, with one POST for each machine and attempt:", () => {
  const scene = useScene();

  needsProcesses();

  it("kill -9 of the CLI between the POSTs", () =>
    killPlan(scene, "between the POSTs", "kill -9 of the CLI", { recoveryPoint: "newest" }));

  for (const station of Object.keys(stations) as StationName[])
    for (const killer of [...Object.keys(killers), "power loss of the panel"] as PlanKiller[])
      long.it(`${killer} ${station}`, () => killPlan(scene, station, killer));
});

long.describe("a plan that is stopped by a single Ctrl-C", () => {
  const scene = useScene();

  needsProcesses();

  it("stores what was already sent, and leaves the rest to the next `up`", async () => {
    const panel = await scene.panel({ speed: 1 });
    const machines = [42, 43, 44];
    for (const id of machines) panel.failNext(id, { seconds: 4 });
    const restores = Object.fromEntries(
      machines.map((id) => [`vm-${String(id)}`, { virtualMachineId: id, recoveryPointId: 1007, timeouts }]),
    );
    const plan = { run: "first", waves: [{ name: "data", restores }] };
    const stack = await planned(scene, plan, { config: { "recovery:maxConcurrent": "1" } });
    const run = stack.start();
    await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the first POST");
    run.interrupt();
    await run.ended;
    assert.equal(panel.acceptedPosts(), 1);
    const record = String((await stack.resource("shop-wave-data")).outputs?.["record"]);
    assert.match(record, /"did":"ended","status":"complete"/);
    assert.equal((await reported(stack)).result, "incomplete");
    await stack.cancel().catch(() => undefined);
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed with warnings");
    const restored = panel.restores().map(({ machineId }) => machineId);
    assert.deepEqual(restored.sort(), machines.map(String));
  });
});
