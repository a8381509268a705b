import assert from "node:assert/strict";
import { example } from "./support/program";
import { useScene } from "./support/scene";

describe("the quickstart run again, on the real engine", () => {
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
