import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { fast, vm, type useStacks } from "../support/one-restore";
import { posts } from "../support/posts";
import { impatient } from "../support/restores";

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

export function unfinishedStays({ scene, stackOf }: Stacks, way: Way): void {
  it(`is not posted again while it is unfinished, because ${way}`, async () => {
    const panel = await scene.panel({ ...fast, faults: { post: { resetBefore: { first: 1 } } } });
    const stack = await stackOf(ways[way]);
    await stack.upFails();
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["status"], "unknown");

    for (const run of [await stack.upFails(), await stack.upFails()]) {
      assert.match(run.stdout, /no transaction of it is listed yet \(looked for 2s\)/);
    }
    assert.equal(posts(panel).length, 1);
    assert.equal((await stack.resource("web-vm-intent")).type, "pulumi-nodejs:dynamic/recovery:RestoreIntent");
  });
}

export function cancelledStays({ scene, stackOf }: Stacks, way: Way): void {
  it(`is not posted again after it was cancelled, because ${way}`, async () => {
    const panel = await scene.panel(fast);
    panel.failNext(42, "cancelled");
    const stack = await stackOf(ways[way]);
    await stack.upFails();
    for (const run of [await stack.upFails(), await stack.upFails()]) {
      assert.match(run.stdout, /was cancelled.*never retried by itself/s);
    }
    assert.equal(panel.acceptedPosts(), 1);
  });
}
