import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { FileRestore, type VmRestore } from "pulumi-recovery";
import { fast, Group, programOf, useStacks, vm } from "./support/one-restore";

describe("more of a restore's options on the real engine", () => {
  const { scene, stackOf } = useStacks();

  it("aliases follow a rename, a move into a component and the component's own rename: nothing changes", async () => {
    const panel = await scene.panel(fast);
    const stack = await stackOf(() => vm("web"));
    await stack.up();
    const restoreUrn = (await stack.resource("web", ":VmRestore")).urn;
    const steps: readonly (() => unknown)[] = [
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
      stack.use(programOf(step));
      const { changes } = await stack.up();
      assert.deepEqual(
        Object.keys(changes).filter((change) => change !== "same" && change !== "create"),
        [],
      );
    }
    assert.equal((await stack.resource("web4-vm-intent")).type, "pulumi-nodejs:dynamic/recovery:RestoreIntent");
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("without aliases a rename is another restore", async () => {
    const panel = await scene.panel(fast);
    const stack = await stackOf(() => vm("web"));
    await stack.up();
    stack.use(programOf(() => vm("web2")));
    assert.deepEqual((await stack.up()).changes, { create: 2, delete: 2, same: 1 });
    assert.equal(panel.acceptedPosts(), 2);
  });

  it("replaceOnChanges replaces the restore and its intent, so that it really runs again", async () => {
    const panel = await scene.panel(fast);
    const opts = (entry: string) => ({ replaceOnChanges: [entry] });
    const stack = await stackOf(() => vm("web", { timeouts: { run: "2h" } }, opts("timeouts")));
    await stack.up();
    const steps: readonly (() => VmRestore)[] = [
      () => vm("web", { timeouts: { run: "3h" } }, opts("timeouts")),
      () => vm("web", { timeouts: { run: "4h" } }, opts("timeouts.run")),
      () => vm("web", { timeouts: { run: "4h" }, captureLog: "never" }, opts("*")),
    ];
    for (const [number, step] of steps.entries()) {
      stack.use(programOf(step));
      const run = await stack.up();
      assert.deepEqual(run.changes, { replace: 2, same: 1 });
      assert.equal(run.outputs["adopted"]?.value, false);
      assert.equal(panel.acceptedPosts(), number + 2);
    }
  });

  it("replacementTrigger and replaceWith replace both, too", async () => {
    const panel = await scene.panel(fast);
    const program = (trigger: string, drill: string) => () => {
      const data = vm("data", { virtualMachineId: 43, triggers: [drill] });
      return vm("web", {}, { replacementTrigger: trigger, replaceWith: [data] });
    };
    const stack = await stackOf(program("a", "first"));
    await stack.up();
    stack.use(programOf(program("b", "first")));
    assert.deepEqual((await stack.up()).changes, { replace: 2, same: 3 });
    stack.use(programOf(program("b", "second")));
    assert.deepEqual((await stack.up()).changes, { replace: 4, same: 1 });
    assert.equal(panel.acceptedPosts(), 5);
  });

  it("secret triggers are encrypted in the state of the restore and of its intent", async () => {
    const panel = await scene.panel(fast);
    const program = (word: string) => () => vm("web", { triggers: ["drill", { word: pulumi.secret(word) }] });
    const stack = await stackOf(program("swordfish"));
    await stack.up();
    const state = await readFile(join(scene.folder, "backend/.pulumi/stacks/e2e/test.json"), "utf8");
    assert.match(state, /"triggers": *\{/);
    assert.doesNotMatch(state, /swordfish/);
    await stack.up({ expectNoChanges: true });
    stack.use(programOf(program("marlin")));
    const run = await stack.up();
    assert.doesNotMatch(run.stdout, /swordfish|marlin/);
    assert.equal(panel.acceptedPosts(), 2);
  });

  it("a protected restore has an intent that is not, below a protected component as well", async () => {
    await scene.panel(fast);
    const stack = await stackOf(
      () =>
        new Group(
          "group",
          (parent) => {
            vm("web", {}, { parent });
          },
          { protect: true },
        ),
    );
    await stack.up();
    const protection = (name: string, type: string) =>
      stack.resource(name, type).then((found) => (found as { protect?: boolean }).protect ?? false);
    assert.equal(await protection("web", ":VmRestore"), true);
    assert.equal(await protection("web-vm-intent", ":RestoreIntent"), false);
  });

  it("a restore that is deleted before it is replaced takes no later one of its machine with it", async () => {
    const panel = await scene.panel(fast);
    const program = (drill: string) => () => {
      vm("first", { triggers: [drill] }, { deleteBeforeReplace: true });
      return vm("second");
    };
    const stack = await stackOf(program("a"));
    await stack.up();
    stack.use(programOf(program("b")));
    assert.deepEqual((await stack.up()).changes, { replace: 2, same: 3 });
    assert.equal(panel.acceptedPosts(), 3);
  });

  it("another spelling of the same inputs is no change, and another order of paths restores nothing", async () => {
    const panel = await scene.panel(fast);
    const files = (args: object) => () =>
      new FileRestore("etc", { virtualMachineId: 42, recoveryPointId: 1007, paths: ["/a", "/b"], ...args });
    const stack = await stackOf(files({ timeouts: { run: "2h", busy: 60 } }));
    await stack.up();
    stack.use(programOf(files({ virtualMachineId: "42", triggers: [], timeouts: { busy: "1m", run: 7200 } })));
    const { changes } = await stack.up();
    assert.equal(changes.replace ?? 0, 0);
    stack.use(programOf(files({ paths: ["/b", "/a"], timeouts: { run: "2h", busy: 60 } })));
    assert.equal((await stack.up()).changes.replace ?? 0, 0);
    assert.equal(panel.acceptedPosts(), 1);
  });
});
