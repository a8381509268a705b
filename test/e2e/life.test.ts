import assert from "node:assert/strict";
import { long } from "../support/thorough";
import { declare, impatient, restores } from "./support/restores";
import { useScene } from "./support/scene";

lifeOf("FileRestore", "xml", describe);
lifeOf("VmRestore", "json", long.describe);

/** All stages in the life of a restore whose run is not killed. The ways to run it again must work as docs/running-again.md promises. */
function lifeOf(
  kind: "VmRestore" | "FileRestore",
  format: "json" | "xml",
  suite: typeof describe | typeof long.describe,
): void {
  suite(`a ${kind} on the real engine (${format})`, () => {
    const config = { "recovery:format": format, "recovery:requestTimeout": "4s" };
    const scene = useScene();

    it("is posted when it is created, replaced together with its intent or given new triggers, and in the run after a failure unless retryFailed is false", async () => {
      const panel = await scene.panel({ speed: 50 });
      const specOf = (args: object) => [
        { name: "web", kind, args: { triggers: ["first"], timeouts: impatient, ...args } } as const,
      ];
      const stack = await restores(scene, specOf({}), { config });

      await stack.up();
      const restore = (await stack.resource("web", `:${kind}`)).urn;
      const both = [restore, (await stack.resource(`web-${kind === "VmRestore" ? "vm" : "file"}-intent`)).urn];
      const alone = await stack.upFails({ replace: [restore] });
      assert.match(alone.stdout, /nothing was restored/);
      assert.match(
        alone.stdout,
        /change triggers, or replace both: --replace '.*:(Vm|File)Restore::web' --replace '.*:Intent::web-(vm|file)-intent'/,
      );
      assert.equal(panel.acceptedPosts(), 1);
      const { outputs } = await stack.up({ replace: both });
      assert.deepEqual([outputs["statuses"]?.value, outputs["adopted"]?.value], [["complete"], [false]]);
      assert.equal(panel.acceptedPosts(), 2);

      const second = { triggers: ["second"] };
      panel.failNext(42, { seconds: 250 });
      await stack.configure(declare(specOf({ ...second, wait: false })));
      assert.doesNotMatch((await stack.preview()).stdout, /left no record/);
      const target = await stack.upFails({ target: [restore] });
      assert.match(target.stdout, /was made for another restore \(different triggers\)/);
      assert.equal(panel.acceptedPosts(), 2);
      await stack.up({ target: both });
      assert.match(String((await stack.resource("web", kind)).outputs?.["status"]), /^(pending|running)$/);
      await stack.refresh();
      await stack.configure(declare(specOf(second)));
      assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);
      await stack.configure(declare(specOf({ ...second, timeouts: { run: "3h" }, captureLog: "always" })));
      assert.equal((await stack.up()).changes.update, 1);
      await stack.up({ expectNoChanges: true, refresh: true });
      assert.equal(panel.acceptedPosts(), 3);

      const third = { triggers: ["third"] };
      panel.failNext(42, "failed");
      await stack.configure(declare(specOf(third)));
      const failed = await stack.upFails();
      assert.match(failed.stdout, /"web" \(machine 42, recovery point 1007\) failed: transaction \d+ ended in failure/);
      assert.match(failed.stdout, /the end of the restore's log \(anything that looks like a secret is masked\):/);
      const stored = (await stack.resources()).find((one) => one.type.endsWith(`:${kind}`) && one.delete !== true);
      assert.equal(stored?.outputs?.["status"], "failed");
      await stack.configure(declare(specOf({ ...third, retryFailed: false })));
      assert.match((await stack.upFails()).stdout, /retryFailed is false/);
      assert.equal(panel.acceptedPosts(), 4);
      await stack.configure(declare(specOf(third)));
      await stack.refresh();
      const again = await stack.up();
      assert.deepEqual([again.outputs["statuses"]?.value, again.outputs["adopted"]?.value], [["complete"], [false]]);
      assert.equal(panel.acceptedPosts(), 5);
      await stack.destroy();
      assert.equal(panel.acceptedPosts(), 5);
      assert.ok(panel.requests().every(({ method }) => method === "GET" || method === "POST"));
    });
  });
}
