import assert from "node:assert/strict";
import { declare, restores } from "./support/restores";
import { useScene } from "./support/scene";

const config = { "recovery:requestTimeout": "2s" };
const spec = { name: "web", args: { triggers: ["first"], timeouts: { listed: "2s" } } };

describe("running a restore again, in ways that restore nothing, on the real engine", () => {
  const scene = useScene();

  it("triggers under ignoreChanges change nothing on the machine", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await restores(scene, [spec], { config });
    await stack.up();

    await stack.configure(
      declare([{ ...spec, args: { ...spec.args, triggers: ["second"] }, ignoreChanges: ["triggers"] }]),
    );
    await stack.up();
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("on another endpoint: nothing is posted for a finished restore", async () => {
    const panel = await scene.panel({ speed: 50 });
    const other = await scene.panel({ speed: 50 });
    const stack = await restores(scene, [spec], { config });
    await stack.up();

    await stack.configure({ "recovery:endpoint": other.url });
    await stack.up({ expectNoChanges: true });
    assert.equal(panel.acceptedPosts() + other.acceptedPosts(), 1);
  });
});
