import assert from "node:assert/strict";
import { join } from "node:path";
import * as recovery from "pulumi-recovery";
import { connectionTo, openStack } from "../../tools/engine/workspace";
import { onlyReads, posted, rotate } from "./support/rotated";
import { useScene } from "./support/scene";
import { inline } from "./support/inline";
import { stored } from "./support/stored";

const restored = inline(() => ({
  status: new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007 }).status,
}));

describe("configuration on the real engine", () => {
  const scene = useScene();

  it("is not needed for previews, nor to refresh and destroy what is finished", async () => {
    const panel = await scene.panel({ speed: 20 });
    const stack = await scene.stack(restored, { connection: "none" });
    await stack.preview();
    await stack.configure(connectionTo(panel));
    await stack.up();
    const { workspace } = await openStack(stack.place, restored);
    await workspace.removeAllConfig(stack.place.stack, Object.keys(connectionTo(panel)));
    const before = panel.requests().length;

    await stack.preview();
    await stack.refresh();
    await stack.destroy();

    assert.equal(panel.requests().length, before);
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("that is missing or wrong is one error with every key and variable, and nothing is posted", async () => {
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

  it("that works but should not stay is warned of once a run, though an intent is made first", async () => {
    await scene.panel({ speed: 20 });
    const stack = await scene.stack(restored, {
      config: { "recovery:insecure": "true", "recovery:caFile": "README.md" },
    });

    const { diagnostics } = await stack.up();

    const warnings = diagnostics.filter(({ severity }) => severity === "warning");
    assert.equal(warnings.filter(({ message }) => message.includes("recovery:caFile has no effect")).length, 1);
  });

  it("comes from the environment as well", async () => {
    const panel = await scene.panel({ speed: 20, password: "pa55word-of-the-panel" });
    const stack = await scene.stack(restored, {
      connection: "none",
      env: { RECOVERY_ENDPOINT: panel.url, RECOVERY_USERNAME: panel.username, RECOVERY_PASSWORD: panel.password },
    });
    assert.equal((await stack.up()).outputs.status?.value, "complete");
    assert.ok(!(await stored(stack.place)).includes(panel.password));
  });

  it("is stored encrypted, and printed nowhere", async () => {
    const panel = await scene.panel({ speed: 20, password: "pa55word-of-the-panel" });
    const stack = await scene.stack(
      inline(() => {
        const provider = new recovery.Provider("own", {
          endpoint: panel.url,
          username: panel.username,
          password: panel.password,
        });
        const web = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007 }, { provider });
        return { status: web.status };
      }),
    );
    const run = await stack.up();
    assert.equal(run.outputs.status?.value, "complete");
    for (const text of [await stored(stack.place), run.stdout, run.stderr, JSON.stringify(run.events)]) {
      assert.ok(!text.includes(panel.password));
    }
  });

  describe("with a password that changes", () => {
    it("in the configuration: up uses the new one, and so do refresh and destroy after it or with the program", async () => {
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
