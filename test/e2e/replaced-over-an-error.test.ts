import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { fast, programOf, useStacks, vm } from "./support/one-restore";
import { impatient } from "./support/restores";
import { posts } from "./support/posts";

/** The ways in which a wildcard gets into `replaceOnChanges`, where the engine lets it match its own memory of an error too. */
const ways = {
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
} as const satisfies Readonly<Record<string, () => unknown>>;

type Way = keyof typeof ways;
type Stacks = ReturnType<typeof useStacks>;

function unfinishedStays({ scene, stackOf }: Stacks, way: Way): void {
  it(`is not posted again while it is unfinished, because ${way}`, async () => {
    const panel = await scene.panel({ ...fast, faults: { post: { resetBefore: { first: 1 } } } });
    const stack = await stackOf(ways[way]);
    await stack.upFails();
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["status"], "sent");

    for (const run of [await stack.upFails(), await stack.upFails()]) {
      assert.match(
        run.stdout,
        /was sent, and the panel has not listed it: nothing of it was listed within timeouts\.listed \(2s\)/,
      );
    }
    assert.equal(posts(panel).length, 1);
    assert.equal((await stack.resource("web-vm-intent")).type, "pulumi-nodejs:recovery:Intent");
  });
}

describe("a restore that is stored with an error and replaced over any change, on the real engine", () => {
  const stacks = useStacks();
  const { scene, stackOf } = stacks;

  unfinishedStays(stacks, "replaceOnChanges says so");

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
