import assert from "node:assert/strict";
import { fast, programOf, useStacks, vm } from "./support/one-restore";
import { impatient } from "./support/restores";
import { posts } from "./support/posts";

describe("a restore that is stored with an error and replaced over any change, on the real engine", () => {
  const { scene, stackOf } = useStacks();
  const always = { replaceOnChanges: ["*"] };

  it("is not posted again while it is unfinished", async () => {
    const panel = await scene.panel({ ...fast, faults: { post: { resetBefore: { first: 1 } } } });
    const stack = await stackOf(() => vm("web", { timeouts: impatient }, always));
    await stack.upFails();
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["status"], "sent");
    for (const run of [await stack.upFails(), await stack.upFails()])
      assert.match(run.stdout, /nothing of it was listed within timeouts\.listed \(2s\)/);
    assert.equal(posts(panel).length, 1);
    assert.equal((await stack.resource("web-vm-intent")).type, "pulumi-nodejs:recovery:Intent");
  });

  it("is restored again where it failed, once per run, and by changed triggers where it was cancelled", async () => {
    const panel = await scene.panel(fast);
    const program = (trigger: string) => () => vm("web", { timeouts: impatient, triggers: [trigger] }, always);
    const stack = await stackOf(program("a"));
    panel.failNext(42, "failed");
    await stack.upFails();
    panel.failNext(42, "cancelled");
    await stack.upFails();
    assert.equal(panel.acceptedPosts(), 2);
    await stack.upFails();
    assert.equal(panel.acceptedPosts(), 2);
    stack.use(programOf(program("b")));
    assert.equal((await stack.up()).outputs["status"]?.value, "complete");
    assert.equal(panel.acceptedPosts(), 3);
  });
});
