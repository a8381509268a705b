import assert from "node:assert/strict";
import { example } from "./support/program";
import { useScene } from "./support/scene";
import { long } from "../support/thorough";

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
    assert.equal(new Set(panel.restores().map(({ recoveryPointId }) => recoveryPointId)).size, 1);

    panel.addRecoveryPoint(42);
    await stack.up({ expectNoChanges: true });
  });
});

long.describe("the quickstart run again, on the real engine", () => {
  const scene = useScene();

  it("posts nothing when it is run again, previewed, refreshed or destroyed", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(example("quickstart"));
    await stack.up();

    const again = await stack.up();
    await stack.preview();
    await stack.refresh();
    await stack.up();
    await stack.destroy();

    assert.deepEqual(Object.keys(again.changes), ["same"]);
    assert.equal(panel.acceptedPosts(42), 2);
  });

  it("restores again when the trigger changes", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(example("quickstart"));
    await stack.up();

    await stack.configure({ "e2e:drill": "second" });
    const again = await stack.up();

    assert.equal(again.changes.replace, 4, "two restores and what remembers them");
    assert.equal(panel.acceptedPosts(42), 4);
  });
});
