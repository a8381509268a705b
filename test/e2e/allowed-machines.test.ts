import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { vm } from "./support/one-restore";
import { useScene } from "./support/scene";

describe("allowedMachines on the real engine", () => {
  const scene = useScene();

  it("rejects a machine whose id is known only during `up`, alone and in a plan, without a request to the panel", async () => {
    const panel = await scene.panel();
    const programOf = (declare: (late: pulumi.Output<number>) => unknown) =>
      inline(() => {
        const known = (id: number) => (pulumi.runtime.isDryRun() ? pulumi.unknown : id);
        declare(pulumi.output(44).apply(known) as pulumi.Output<number>);
      });
    const alone = programOf((virtualMachineId) => vm("web", { virtualMachineId }));
    const stack = await scene.stack(alone, { config: { "recovery:allowedMachines": "42,43" } });
    await stack.preview();
    assert.match(
      (await stack.upFails()).stdout,
      /restore "web" \(machine 44, recovery point 1007\) was not sent: machine 44 is not among .*stack's configuration \(42, 43\)/,
    );
    const planned = programOf((virtualMachineId) => {
      const db = { virtualMachineId: 42, recoveryPointId: 1007 };
      const waves = [
        { name: "data", restores: { db } },
        { name: "front", restores: { app: { ...db, virtualMachineId } } },
      ];
      return new recovery.RecoveryPlan("shop", { run: "2026-Q4", waves });
    });
    stack.use(planned);
    assert.match((await stack.upFails()).stdout, /app: .*machine 44 is not among/);
    assert.deepEqual(panel.requests(), []);
  });
});
