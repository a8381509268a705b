import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { FileRestore } from "pulumi-recovery";
import { fast, programOf, useStacks, vm } from "./support/one-restore";

describe("a restore's options on the real engine", () => {
  const { scene, stackOf } = useStacks();

  it("ignoreChanges holds for both: triggers are ignored, and another recovery point still restores", async () => {
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
    // A replacement takes everything as the program has it, ignored or not, and so on both.
    const [restore, intent] = [await stack.resource("web", ":VmRestore"), await stack.resource("web-vm-intent")];
    assert.deepEqual(intent.outputs?.["triggers"], restore.outputs?.["triggers"]);
  });

  it("restores of one machine run in the order they are written, whatever their ids come from", async () => {
    const panel = await scene.panel(fast);
    const stack = await stackOf(() => {
      const first = vm("first", {}, { deleteBeforeReplace: true });
      const second = vm("second", { virtualMachineId: first.virtualMachineId });
      const third = vm("third", { virtualMachineId: first.transactionId.apply(() => "42") });
      return new FileRestore(
        "fourth",
        { virtualMachineId: pulumi.secret(42), recoveryPointId: 1007, paths: ["/etc"] },
        {
          dependsOn: [second, third],
        },
      );
    });
    await stack.preview();
    await stack.up();
    assert.equal(panel.acceptedPosts(), 4);
    const previous = async (name: string) => {
      const intent = (await stack.resource(name)) as { dependencies?: readonly string[] };
      return (intent.dependencies ?? []).map((urn) => urn.split("::").at(-1));
    };
    assert.deepEqual(await previous("first-vm-intent"), []);
    assert.ok((await previous("second-vm-intent")).includes("first"));
    assert.ok((await previous("third-vm-intent")).includes("second"));
    assert.ok((await previous("fourth-file-intent")).includes("third"));
    await stack.up({ expectNoChanges: true });
  });

  it("triggers given for the first time in a run of the restore alone are not taken for its intent's", async () => {
    const panel = await scene.panel(fast);
    const stack = await stackOf(() => vm("web"));
    await stack.up();
    stack.use(programOf(() => vm("web", { triggers: ["first"] })));
    const run = await stack.upFails({ target: [(await stack.resource("web", ":VmRestore")).urn] });
    assert.match(run.stdout, /triggers differ/);
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("mistakes are told in the preview, about the restore and without a request to the panel", async () => {
    const panel = await scene.panel(fast);
    const stack = await stackOf(
      () =>
        new FileRestore("etc", { virtualMachineId: "4/2", recoveryPointId: 7, paths: ["b"], trigger: [1] } as never),
    );
    const { diagnostics } = await stack.previewFails();
    const messages = diagnostics.filter((one) => one.urn.endsWith(":FileRestore::etc")).map((one) => one.message);
    for (const expected of [
      /property virtualMachineId .* which is no id/,
      /property paths .*does not start with/,
      /did you mean "triggers"/,
    ]) {
      assert.ok(
        messages.some((message) => expected.test(message)),
        `${String(expected)} in ${messages.join("\n")}`,
      );
    }
    assert.deepEqual(panel.requests(), []);
  });
});
