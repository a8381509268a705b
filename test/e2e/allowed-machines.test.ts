import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { inline } from "./support/inline";
import { vm } from "./support/one-restore";
import { useScene } from "./support/scene";

describe("allowedMachines on the real engine", () => {
  const scene = useScene();

  it("rejects a machine whose id is known only during `up`, without sending a request to the panel", async () => {
    const panel = await scene.panel();
    const program = inline(() => {
      const known = (id: number) => (pulumi.runtime.isDryRun() ? pulumi.unknown : id);
      vm("web", { virtualMachineId: pulumi.output(44).apply(known) as pulumi.Output<number> });
    });
    const stack = await scene.stack(program, { config: { "recovery:allowedMachines": "42,43" } });
    await stack.preview();
    assert.match(
      (await stack.upFails()).stdout,
      /restore "web" \(machine 44, recovery point 1007\) was not sent: machine 44 is not among .*stack's configuration \(42, 43\)/,
    );
    assert.deepEqual(panel.requests(), []);
  });
});
