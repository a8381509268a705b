import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { fast, programOf, useStacks, vm } from "./support/one-restore";
import { impatient } from "./support/restores";

/** The ways in which a wildcard gets into `replaceOnChanges`, where the engine lets it match its own memory of an error too. */
const ways: Readonly<Record<string, () => unknown>> = {
  "replaceOnChanges says so": () => vm("web", { timeouts: impatient }, { replaceOnChanges: ["*"] }),
  "the stack's transformation says so": () => {
    pulumi.runtime.registerStackTransformation(({ props, opts }) => ({
      props,
      opts: { ...opts, replaceOnChanges: ["*"] },
    }));
    return vm("web", { timeouts: impatient });
  },
  "a transform of the engine's says so": () =>
    vm(
      "web",
      { timeouts: impatient },
      {
        transforms: [({ props, opts }) => ({ props, opts: { ...opts, replaceOnChanges: ["*"] } })],
      },
    ),
};

describe("a restore that is stored with an error and replaced over any change, on the real engine", () => {
  const { scene, stackOf } = useStacks();

  for (const [way, program] of Object.entries(ways)) {
    it(`is not posted again while it is unfinished, because ${way}`, async () => {
      const panel = await scene.panel({ ...fast, faults: { post: { resetBefore: { first: 1 } } } });
      const stack = await stackOf(program);
      await stack.upFails();
      assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["status"], "unknown");

      for (const run of [await stack.upFails(), await stack.upFails()]) {
        assert.match(run.stdout, /no transaction of it has been listed within 2s/);
      }
      assert.equal(panel.requests().filter(({ method }) => method === "POST").length, 1);
      assert.equal((await stack.resource("web-vm-intent")).type, "pulumi-nodejs:dynamic/recovery:RestoreIntent");
    });

    it(`is not posted again after it was cancelled, because ${way}`, async () => {
      const panel = await scene.panel(fast);
      panel.failNext(42, "cancelled");
      const stack = await stackOf(program);
      await stack.upFails();
      for (const run of [await stack.upFails(), await stack.upFails()]) {
        assert.match(run.stdout, /was cancelled.*never retried by itself/s);
      }
      assert.equal(panel.acceptedPosts(), 1);
    });
  }

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
