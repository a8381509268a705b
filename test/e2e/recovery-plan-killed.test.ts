import assert from "node:assert/strict";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { long } from "../support/thorough";
import { killers } from "./killing/killers";
import { killPlan, stations, type PlanKiller, type StationName } from "./killing/plan";
import { planned, planTimeouts as timeouts, reported } from "./support/plans";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

describe("a killed plan is finished by the next up with one POST for each machine and attempt:", () => {
  const scene = useScene();

  needsProcesses();

  it("kill -9 of the CLI among the POSTs", () =>
    killPlan(scene, "among the POSTs", "kill -9 of the CLI", { recoveryPoint: "newest" }));

  for (const station of Object.keys(stations) as StationName[])
    for (const killer of [...Object.keys(killers), "power loss of the panel"] as PlanKiller[])
      long.it(`${killer} ${station}`, () => killPlan(scene, station, killer));
});

long.describe("a plan that is stopped, or whose state is edited", () => {
  const scene = useScene();

  needsProcesses();

  const three: RecoveryPlanArgs = {
    run: "first",
    waves: [
      {
        name: "data",
        restores: Object.fromEntries(
          [42, 43, 44].map((id) => [`vm-${String(id)}`, { virtualMachineId: id, recoveryPointId: 1007, timeouts }]),
        ),
      },
    ],
  };

  it("stores what was sent and leaves the rest to the next up after one Ctrl-C", async () => {
    const panel = await scene.panel({ speed: 1 });
    for (const id of [42, 43, 44]) panel.failNext(id, { seconds: 4 });
    const stack = await planned(scene, three, { config: { "recovery:maxConcurrent": "1" } });
    const run = await stack.start("up", {}, "ignored");
    await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the first POST");
    run.interrupt();
    await run.ended;
    assert.equal(panel.acceptedPosts(), 1);
    const record = String((await stack.resource("shop-wave-data")).outputs?.["record"]);
    assert.match(record, /"did":"ended","status":"complete"/);
    assert.equal((await reported(stack)).result, "incomplete");
    await stack.cancel().catch(() => undefined);
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed with warnings");
    assert.deepEqual(
      panel
        .restores()
        .map(({ machineId }) => machineId)
        .sort(),
      ["42", "43", "44"],
    );
  });

  it("finds its restores and sends nothing if a wave is missing from the state", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await planned(scene, three);
    await stack.up();
    const state = await stack.exportState();
    const { resources } = state.deployment as { resources: { urn: string }[] };
    const left = resources.filter(({ urn }) => !/shop-(wave-data|verdict)$/.test(urn));
    await stack.importState({ ...state, deployment: { ...(state.deployment as object), resources: left } });
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed with warnings");
    assert.equal(panel.acceptedPosts(), 3);
    assert.match(
      String((await reported(stack)).reasons),
      /vm-42 was adopted \(transaction \d+\): an earlier attempt had sent it/,
    );
  });
});
