import assert from "node:assert/strict";
import { long } from "../support/thorough";
import { declare, impatient, restores } from "./support/restores";
import { useScene } from "./support/scene";

lifeOf("FileRestore", "xml", describe);
lifeOf("VmRestore", "json", long.describe);

/** All stages in the life of a restore whose run is not killed, on the real engine. */
function lifeOf(
  kind: "VmRestore" | "FileRestore",
  format: "json" | "xml",
  suite: typeof describe | typeof long.describe,
): void {
  suite(`a ${kind} on the real engine (${format})`, () => {
    const scene = useScene();
    const config = { "recovery:format": format, "recovery:requestTimeout": "4s" };

    it("is posted when it is created and when its triggers change, and never otherwise", async () => {
      const panel = await scene.panel({ speed: 2 });
      const specOf = (args: object) => [{ name: "web", kind, args: { triggers: ["first"], ...args } }];
      const stack = await restores(scene, specOf({ wait: false }), { config });

      // `up` returns once the restore is listed.
      assert.match(String((await stack.up()).outputs["statuses"]?.value), /^(pending|running)$/);
      await stack.refresh();
      await stack.configure(declare(specOf({})));
      assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);
      await stack.configure(declare(specOf({ timeouts: { run: "3h" }, captureLog: "always" })));
      assert.equal((await stack.up()).changes.update, 1);
      await stack.up({ expectNoChanges: true, refresh: true });
      assert.equal(panel.acceptedPosts(), 1);

      await stack.configure(declare(specOf({ triggers: ["second"] })));
      await stack.up();
      assert.equal(panel.acceptedPosts(), 2);
      await stack.destroy();
      assert.equal(panel.acceptedPosts(), 2);
      assert.ok(panel.requests().every(({ method }) => method === "GET" || method === "POST"));
    });

    it("is sent again by the next up if it failed, unless retryFailed is false", async () => {
      const panel = await scene.panel({ speed: 50 });
      const spec = { name: "web", kind, args: { timeouts: impatient } };
      const stack = await restores(scene, [spec], { config });
      panel.failNext(42, "failed");

      const failed = await stack.upFails();
      assert.match(failed.stdout, /"web" \(machine 42, recovery point 1007\) failed: transaction \d+ ended in failure/);
      assert.match(failed.stdout, /the end of the restore's log \(secrets masked\):/);
      assert.equal((await stack.resource("web", kind)).outputs?.["status"], "failed");

      await stack.configure(declare([{ ...spec, args: { ...spec.args, retryFailed: false } }]));
      assert.match((await stack.upFails()).stdout, /retryFailed is false/);
      assert.equal(panel.acceptedPosts(), 1);

      await stack.configure(declare([spec]));
      await stack.refresh();
      const again = await stack.up();
      assert.deepEqual(again.outputs["statuses"]?.value, ["complete"]);
      assert.deepEqual(again.outputs["adopted"]?.value, [false]);
      assert.equal(panel.acceptedPosts(), 2);
    });
  });
}
