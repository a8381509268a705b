import assert from "node:assert/strict";
import { join } from "node:path";
import * as recovery from "pulumi-recovery";
import { openStack } from "../../tools/engine/workspace";
import { inline } from "./support/inline";
import { fixture } from "./support/program";
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

  it("in an explicit provider: up updates the provider alone, and what follows uses the new one", async () => {
    const stateFile = join(scene.folder, "panel.json");
    const first = await scene.panel({ stateFile, password: "old", speed: 1 });
    const program = (password: string) =>
      inline(() => {
        const provider = new recovery.Provider("own", { endpoint: first.url, username: first.username, password });
        const web = new recovery.VmRestore(
          "web",
          { virtualMachineId: 42, recoveryPointId: 1007, wait: false },
          { provider },
        );
        return { status: web.status };
      });
    const stack = await scene.stack(program("old"), { connection: "none" });
    await stack.up();

    const second = await rotate(first, "new", stateFile);
    try {
      stack.use(program("new"));
      const run = await stack.up();
      assert.equal(run.changes.update, 1);
      assert.equal(run.changes.replace, undefined);
      await stack.refresh();
      await stack.destroy();
      onlyReads(second);
    } finally {
      await second.stop();
    }
  });
});

describe("the rest of the configuration on the real engine", () => {
  const scene = useScene();

  it("of a data source that is missing fails the program with the same list, without a stack trace", async () => {
    const stack = await scene.stack(fixture("unreachable"), { connection: "none" });
    const run = await (await stack.start("preview")).ended;
    assert.match(run.error ?? "", /getTransactions: The connection to the panel needs 3 settings put right/);
    for (const name of ["ENDPOINT", "USERNAME", "PASSWORD"])
      assert.match(run.error ?? "", new RegExp(`RECOVERY_${name}`));
    assert.doesNotMatch(run.stdout, /^\s+at /m);
  });
});
