import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";
import { saidBy } from "./support/shown";
import { config, planArgs, timeouts } from "./support/two-waves";

describe("a recovery plan and more options of resources", () => {
  const scene = useScene();

  it("with protect keeps its record from being destroyed, and still runs anew", async () => {
    const panel = await scene.panel({ speed: 50 });
    const program = (run: string) =>
      inline(() => ({
        verdict: new recovery.RecoveryPlan("shop", { ...planArgs(), run }, { protect: true }).verdict,
      }));
    const stack = await scene.stack(program("first"), { config });
    await stack.up();
    stack.use(program("second"));
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed");
    assert.equal(panel.acceptedPosts(), 4);

    const before = (await stack.resources()).length;
    assert.match(saidBy(await stack.destroyFails()), /protect/);
    assert.equal((await stack.resources()).length, before);
  });

  it("comes after what it depends on, and before what depends on it", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(
      inline(() => {
        const before = new recovery.VmRestore("before", { virtualMachineId: 44, recoveryPointId: 1009, timeouts });
        const plan = new recovery.RecoveryPlan("shop", planArgs(), { dependsOn: before });
        new recovery.VmRestore("after", { virtualMachineId: 42, recoveryPointId: 1007, timeouts }, { dependsOn: plan });
        return { verdict: plan.verdict };
      }),
      { config },
    );
    await stack.up();
    assert.deepEqual(
      panel.restores().map(({ machineId }) => machineId),
      ["44", "42", "43", "42"],
    );
  });
});
