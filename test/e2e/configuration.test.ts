import assert from "node:assert/strict";
import { join } from "node:path";
import { connectionTo } from "../../tools/engine/workspace";
import { useScene, type Sandbox } from "./support/scene";
import { inline } from "./support/inline";
import { vm } from "./support/one-restore";
import { long } from "../support/thorough";
import { startSandbox } from "../../sandbox";

/** A restore posted without a wait, so that a refresh must ask the panel. */
const posted = inline(() => ({
  status: vm("web", { wait: false }).status,
}));

/** Restarts the panel at the same address with another password. */
async function rotate(panel: Sandbox, password: string, stateFile: string): Promise<Sandbox> {
  await panel.stop();
  return startSandbox({ port: Number(new URL(panel.url).port), password, stateFile, speed: 20 });
}

function onlyReads(panel: Sandbox): void {
  const answers = panel.requests().map((one) => `${one.method} ${String(one.status)}`);
  assert.deepEqual([...new Set(answers)], ["GET 200"]);
  assert.equal(panel.restores().length, 1);
}

const restored = inline(() => ({
  status: vm("web").status,
}));

describe("configuration on the real engine", () => {
  const scene = useScene();

  it("is checked with one error that names every missing or wrong key and its variable, and nothing is posted", async () => {
    const panel = await scene.panel();
    const stack = await scene.stack(restored, {
      connection: "none",
      config: { "recovery:endpoint": panel.url, "recovery:pageSize": "many" },
    });

    const { error = "" } = await stack.upFails();

    assert.match(
      error,
      /recovery:username is not set: run `pulumi config set recovery:username`, or set the variable RECOVERY_USERNAME/,
    );
    assert.match(error, /recovery:password is not set: .*--secret.*RECOVERY_PASSWORD/);
    assert.match(error, /recovery:pageSize in the configuration \(or RECOVERY_PAGE_SIZE\) is "many"/);
    assert.equal(panel.requests().length, 0);
  });

  describe("a changed password", () => {
    long.it("is used by up, and by refresh and destroy after an up or with --run-program", async () => {
      const stateFile = join(scene.folder, "panel.json");
      const first = await scene.panel({ stateFile, password: "old" });
      const stack = await scene.stack(posted);
      await stack.up();

      const second = await rotate(first, "new", stateFile);
      try {
        await stack.configure(connectionTo(second));
        await stack.refresh({ runProgram: true });
        assert.ok(second.requests().length > 0, "the refresh asked the panel");
        await stack.up();
        await stack.refresh();
        await stack.destroy();
        onlyReads(second);
      } finally {
        await second.stop();
      }
    });
  });
});
