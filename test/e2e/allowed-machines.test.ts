import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";

const point = { recoveryPointId: 1007, timeouts: { settle: 0 } };
const drills = { "recovery:allowedMachines": "42,43" };

describe("allowedMachines on the real engine", () => {
  const scene = useScene();

  it("rejects a machine whose id is known only during `up`, without a request to the panel", async () => {
    const panel = await scene.panel({ speed: 50 });
    const program = inline(() => {
      const late = pulumi
        .output(44)
        .apply((id) => (pulumi.runtime.isDryRun() ? pulumi.unknown : id)) as pulumi.Output<number>;
      new recovery.VmRestore("web", { virtualMachineId: late, ...point });
    });
    const stack = await scene.stack(program, { config: drills });
    await stack.preview();
    const { stdout } = await stack.upFails();
    assert.match(
      stdout,
      /restore "web" \(machine 44, recovery point 1007\) was not sent: machine 44 is not among .*stack's configuration \(42, 43\)/,
    );
    assert.deepEqual(panel.requests(), []);
  });

  it("sends nothing for a plan that contains another machine, with or without a preview", async () => {
    const panel = await scene.panel({ speed: 50 });
    const plan = (machine: number) =>
      inline(() => {
        new recovery.RecoveryPlan("shop", {
          run: "2026-Q4",
          waves: [
            { name: "data", restores: { db: { virtualMachineId: 42, ...point } } },
            { name: "front", restores: { web: { virtualMachineId: machine, ...point } } },
          ],
        });
      });
    const stack = await scene.stack(plan(44), { config: drills });
    assert.match((await stack.previewFails()).stdout, /web: .*machine 44 is not among/);
    assert.match((await stack.upFails()).stdout, /machine 44 is not among/);
    assert.deepEqual(panel.requests(), []);
    stack.use(plan(43));
    await stack.up();
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43)], [1, 1]);
  });
});
