import assert from "node:assert/strict";
import { example } from "./support/program";
import { useScene } from "./support/scene";

describe("the quickstart on the real engine", () => {
  const scene = useScene();

  it("restores the machine and the files, and shows what the panel did", async () => {
    const panel = await scene.panel({ speed: 5 });
    const stack = await scene.stack(example("quickstart"));

    const first = await stack.up();

    assert.equal(first.outputs.status?.value, "complete");
    assert.match(String(first.outputs["from"]?.value), /^\d{4}-.*Z$/);
    assert.equal(first.outputs.files?.value, "complete");
    assert.ok(Number(first.outputs.seconds?.value) > 0, "the measured time of the restore");
    assert.match(String(first.outputs.recent?.value), /restore/);
    assert.equal(panel.acceptedPosts(42), 2);

    // A point is chosen once, and again only when the triggers change.
    panel.addRecoveryPoint(42, { id: 1010 });
    await stack.up({ expectNoChanges: true });
    await stack.configure({ "e2e:run": "second" });
    await stack.up();
    const points = panel.restores().map(({ recoveryPointId }) => recoveryPointId);
    assert.deepEqual(points, ["1009", "1009", "1010", "1010"]);
  });
});
