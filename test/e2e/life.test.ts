import assert from "node:assert/strict";
import { declare, impatient, restores } from "./support/restores";
import { useScene } from "./support/scene";

const config = { "recovery:format": "xml", "recovery:requestTimeout": "4s" };

/** All stages in the life of a restore whose run is not killed. */
describe("a FileRestore on the real engine (xml)", () => {
  const scene = useScene();

  it("is posted when it is created, in the run after a failure unless retryFailed is false, and when its triggers change, and never otherwise", async () => {
    const panel = await scene.panel({ speed: 50 });
    const kind = "FileRestore";
    const specOf = (args: object) => [
      { name: "web", kind, args: { triggers: ["first"], timeouts: impatient, ...args } } as const,
    ];
    const stack = await restores(scene, specOf({}), { config });

    panel.failNext(42, "failed");
    const failed = await stack.upFails();
    assert.match(failed.stdout, /"web" \(machine 42, recovery point 1007\) failed: transaction \d+ ended in failure/);
    assert.match(failed.stdout, /the end of the restore's log \(secrets masked\):/);
    assert.equal((await stack.resource("web", kind)).outputs?.["status"], "failed");
    await stack.configure(declare(specOf({ retryFailed: false })));
    assert.match((await stack.upFails()).stdout, /retryFailed is false/);
    assert.equal(panel.acceptedPosts(), 1);
    await stack.configure(declare(specOf({})));
    await stack.refresh();
    const again = await stack.up();
    assert.deepEqual(again.outputs["statuses"]?.value, ["complete"]);
    assert.deepEqual(again.outputs["adopted"]?.value, [false]);
    assert.equal(panel.acceptedPosts(), 2);

    const second = { triggers: ["second"] };
    panel.failNext(42, { seconds: 250 });
    await stack.configure(declare(specOf({ ...second, wait: false })));
    // `up` returns once the restore is listed.
    assert.match(String((await stack.up()).outputs["statuses"]?.value), /^(pending|running)$/);
    await stack.refresh();
    await stack.configure(declare(specOf(second)));
    assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);
    await stack.configure(declare(specOf({ ...second, timeouts: { run: "3h" }, captureLog: "always" })));
    assert.equal((await stack.up()).changes.update, 1);
    await stack.up({ expectNoChanges: true, refresh: true });
    await stack.destroy();
    assert.equal(panel.acceptedPosts(), 3);
    assert.ok(panel.requests().every(({ method }) => method === "GET" || method === "POST"));
  });
});
