import assert from "node:assert/strict";
import { declare, restores } from "./support/restores";
import { useScene } from "./support/scene";
import { zerosInFront } from "./support/zeros-in-front";

describe("a finished restore with zeros in front of its id, on the real engine", () => {
  const scene = useScene();
  const spec = { name: "web", args: { triggers: ["first"] } };

  it("that an earlier release has stored is corrected without a second restore, refreshed and destroyed", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await restores(scene, [spec]);
    await stack.up();
    await stack.importState(zerosInFront(await stack.exportState()));
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["virtualMachineId"], "042");

    await stack.refresh();
    const corrected = await stack.up();
    assert.equal(corrected.changes.replace ?? 0, 0);
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["virtualMachineId"], "42");
    assert.equal((await stack.resource("web-vm-intent")).outputs?.["virtualMachineId"], "42");
    await stack.up({ expectNoChanges: true });

    await stack.configure(declare([{ ...spec, args: { ...spec.args, triggers: ["second"] } }]));
    await stack.up();
    assert.equal(panel.acceptedPosts(), 2);
    await stack.importState(zerosInFront(await stack.exportState()));
    await stack.destroy();
    assert.equal(panel.acceptedPosts(), 2);
  });
});
