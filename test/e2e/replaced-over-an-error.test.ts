import assert from "node:assert/strict";
import { cancelledStays, unfinishedStays } from "./suites/replaced-over-an-error";
import { fast, programOf, useStacks, vm } from "./support/one-restore";
import { impatient } from "./support/restores";

/** Each of the two once; the long run has the other ways. */
describe("a restore that is stored with an error and replaced over any change, on the real engine", () => {
  const stacks = useStacks();
  const { scene, stackOf } = stacks;

  unfinishedStays(stacks, "replaceOnChanges says so");
  cancelledStays(stacks, "the stack's transformation says so");

  it("is restored again where it failed, once per run, and by changed triggers where it was cancelled", async () => {
    const panel = await scene.panel(fast);
    const program = (trigger: string) => () =>
      vm("web", { timeouts: impatient, triggers: [trigger] }, { replaceOnChanges: ["*"] });
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
