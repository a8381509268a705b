import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { VmRestore } from "pulumi-recovery";
import { long } from "../support/thorough";
import { inline } from "./support/inline";
import { Group, vm } from "./support/one-restore";
import { useScene } from "./support/scene";

const config = { "recovery:requestTimeout": "4s" };
const fast = { speed: 50 };

const programOf = (program: () => unknown) =>
  inline(() => {
    const made = program();
    return VmRestore.isInstance(made) ? { status: made.status } : {};
  });

long.describe("a restore on the real engine", () => {
  const scene = useScene();
  const stackOf = (program: () => unknown) => scene.stack(programOf(program), { config });

  it("with ignoreChanges, is not sent again for new triggers, but is sent again for another recovery point", async () => {
    const panel = await scene.panel(fast);
    const opts = { ignoreChanges: ["triggers"] };
    const stack = await stackOf(() => vm("web", { triggers: ["first"] }, opts));
    await stack.up();
    stack.use(programOf(() => vm("web", { triggers: ["second"] }, opts)));
    await stack.up({ expectNoChanges: true });
    assert.equal(panel.acceptedPosts(), 1);
    stack.use(programOf(() => vm("web", { triggers: ["third"], recoveryPointId: 1008 }, opts)));
    assert.deepEqual((await stack.up()).changes, { replace: 2, same: 1 });
    assert.equal(panel.acceptedPosts(), 2);
    // A replacement of either resource uses all inputs from the program, even those in `ignoreChanges`.
    const [restore, intent] = [await stack.resource("web", ":VmRestore"), await stack.resource("web-vm-intent")];
    assert.deepEqual(intent.outputs?.["triggers"], restore.outputs?.["triggers"]);
  });

  it("with aliases, is not replaced when it is renamed or moved, or when its limit or its component's name changes; nor is the machine's next restore", async () => {
    const panel = await scene.panel(fast);
    const withNext = (restore: () => unknown) => () => {
      restore();
      vm("next");
    };
    const stack = await stackOf(withNext(() => vm("web")));
    await stack.up();
    const restoreUrn = (await stack.resource("web", ":VmRestore")).urn;
    const steps: readonly (() => unknown)[] = [
      () => vm("web", { timeouts: { run: "90s" } }),
      () => vm("web2", {}, { aliases: [restoreUrn] }),
      () => vm("web3", {}, { aliases: [pulumi.output({ name: "web2" })] }),
      () =>
        new Group("old", (parent) => {
          vm("web3", {}, { parent, aliases: [{ parent: pulumi.rootStackResource }] });
        }),
      () =>
        new Group(
          "new",
          (parent) => {
            vm("web4", {}, { parent, aliases: [{ name: "web3" }, { type: "older:index:VmRestore" }] });
          },
          { aliases: [{ name: "old" }] },
        ),
    ];
    for (const step of steps) {
      stack.use(programOf(withNext(step)));
      for (const { changes } of [await stack.preview(), await stack.up()])
        assert.deepEqual([changes.replace, changes.delete], [undefined, undefined]);
    }
    assert.equal((await stack.resource("web4-vm-intent")).type, "pulumi-nodejs:recovery:Intent");
    assert.equal(panel.acceptedPosts(), 2);
  });

  it("with a wildcard in ignoreChanges, is sent again when the previous restore is sent again", async () => {
    const panel = await scene.panel(fast);
    const program = (drill: string) => () => {
      vm("first", { triggers: [drill] });
      return vm("second", {}, { ignoreChanges: ["*"] });
    };
    const stack = await stackOf(program("a"));
    await stack.up();
    stack.use(programOf(program("b")));
    await stack.up();
    const second = (await stack.resource("second", ":VmRestore")) as { inputs?: Record<string, unknown> };
    const { __previous: previous } = second.inputs ?? {};
    const { intentId, madeUnder } = previous as Record<string, unknown>;
    assert.deepEqual([intentId, madeUnder], Array(2).fill((await stack.resource("first-vm-intent")).id));
    assert.equal(panel.acceptedPosts(), 4, "restored again after the first");
  });

  it("with customTimeouts, waits no longer than the create or update limit and is sent only once; timeouts.total overrides the option", async () => {
    const panel = await scene.panel({ speed: 1 });
    panel.failNext(42, { seconds: 20 });
    const limited = (limits: { create?: string; update?: string; delete?: string }, total?: string) => () =>
      vm("web", total === undefined ? {} : { timeouts: { total } }, { customTimeouts: limits });
    const stack = await stackOf(limited({ create: "3s", update: "1s", delete: "1s" }));
    assert.match((await stack.upFails()).stdout, /within timeouts\.total \(3s\)/);
    assert.match((await stack.upFails()).stdout, /within timeouts\.total \(1s\)/);
    stack.use(programOf(limited({ create: "1s", update: "1s" }, "2m")));
    assert.equal((await stack.up()).outputs["status"]?.value, "complete");
    await stack.up({ expectNoChanges: true });
    assert.equal(panel.acceptedPosts(), 1);
  });
});
