import assert from "node:assert/strict";
import { impatient, restores } from "./support/restores";
import { useScene } from "./support/scene";

const config = { "recovery:requestTimeout": "2s" };
const spec = { name: "web", args: { timeouts: impatient } };

describe("a POST without a proper answer, on the real engine,", () => {
  const scene = useScene();

  it("is sent once and completes when it was accepted but its answer was lost", async () => {
    const panel = await scene.panel({ speed: 50, faults: { post: { timeout: { first: 1, handled: true } } } });
    const stack = await restores(scene, [spec], { config });
    const run = await stack.up();
    assert.deepEqual(run.outputs["statuses"]?.value, ["complete"]);
    assert.equal(panel.acceptedPosts(), 1);
    assert.match(run.stdout, /answer to the restore was lost/);
  });

  it("is not sent again by an onError hook that always retries", async () => {
    const panel = await scene.panel({ speed: 50 });
    panel.failNext(42, "failed");
    const stack = await restores(scene, [{ ...spec, alwaysRetry: true }], { config });
    await stack.upFails();
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("leaves nothing in the state if the panel refuses it", async () => {
    const panel = await scene.panel({ speed: 50, faults: { post: { refuse: { first: 1 } } } });
    const stack = await restores(scene, [spec], { config });
    const run = await stack.upFails();
    assert.match(run.stdout, /was refused by the panel, and changed nothing: .*status 422/);
    assert.equal((await stack.resources()).filter(({ type }) => type.endsWith(":VmRestore")).length, 0);
    await stack.up();
    assert.equal(panel.acceptedPosts(), 1);
  });
});
