import assert from "node:assert/strict";
import { join } from "node:path";
import { connectionTo } from "../../tools/engine/workspace";
import { long } from "../support/thorough";
import { inline } from "./support/inline";
import { vm } from "./support/one-restore";
import { useScene } from "./support/scene";

/** A restore that `up` posts without waiting for it, so that a refresh must read its status from the panel. */
const posted = inline(() => ({ status: vm("web", { wait: false }).status }));

long.describe("a changed password on the real engine", () => {
  const scene = useScene();

  it("is used by up, and also by refresh and destroy if they follow an up or are run with --run-program", async () => {
    const stateFile = join(scene.folder, "panel.json");
    const first = await scene.panel({ stateFile, password: "old" });
    const stack = await scene.stack(posted);
    await stack.up();

    await first.stop();
    const port = Number(new URL(first.url).port);
    const second = await scene.panel({ port, password: "new", stateFile, speed: 20 });
    await stack.configure(connectionTo(second));
    await stack.refresh({ runProgram: true });
    assert.ok(second.requests().length > 0, "the refresh asked the panel");
    await stack.up();
    await stack.refresh();
    await stack.destroy();
    const answers = second.requests().map(({ method, status }) => `${method} ${String(status)}`);
    assert.deepEqual([...new Set(answers)], ["GET 200"]);
    assert.equal(second.restores().length, 1);
  });
});
