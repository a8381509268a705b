import assert from "node:assert/strict";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { colourful, markup } from "./support/markup";

describe("text that would end the engine, on the real engine, in a state", () => {
  const scene = useScene();

  it("that an earlier release has stored restores nothing, and can be refreshed and destroyed", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await restores(scene, [{ name: "web", args: { triggers: [markup] } }]);
    await stack.up(colourful);
    const raw = JSON.stringify(await stack.exportState()).replaceAll("<{ %no colour", "<{%no colour");
    await stack.importState(JSON.parse(raw) as Awaited<ReturnType<typeof stack.exportState>>);
    await stack.refresh(colourful);
    const run = await stack.up(colourful);
    assert.equal(run.changes.replace ?? 0, 0);
    await stack.destroy(colourful);
    assert.equal(panel.acceptedPosts(), 1);
  });
});
