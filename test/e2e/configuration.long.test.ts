import assert from "node:assert/strict";
import { join } from "node:path";
import { openStack } from "../../tools/engine/workspace";
import { onlyReads, posted, rotate } from "./support/rotated";
import { useScene } from "./support/scene";

describe("a password that changes, on the real engine", () => {
  const scene = useScene();

  it("in the environment: refresh, up and destroy use the new one and post nothing", async () => {
    const stateFile = join(scene.folder, "panel.json");
    const first = await scene.panel({ stateFile, password: "old" });
    const env = { RECOVERY_ENDPOINT: first.url, RECOVERY_USERNAME: first.username, RECOVERY_PASSWORD: "old" };
    const stack = await scene.stack(posted, { connection: "none", env });
    await stack.up();

    const second = await rotate(first, "new", stateFile);
    try {
      const place = { ...stack.place, env: { ...env, RECOVERY_PASSWORD: "new" } };
      const automation = await openStack(place, posted);
      await automation.refresh();
      assert.ok(second.requests().length > 0, "the refresh asked the panel");
      await automation.up();
      await automation.destroy();
      onlyReads(second);
    } finally {
      await second.stop();
    }
  });
});
