import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { FileRestore, Provider, VmRestore } from "../../provider";
import { Group } from "./support/program";
import { runProgram } from "./support/program-run";

const machine = { virtualMachineId: 42, recoveryPointId: 7 };

describe("the options of an intent", () => {
  it("place the intent next to its restore, with the same provider", async () => {
    const run = await runProgram(() => {
      const provider = new Provider("site", { endpoint: "https://panel.example" });
      return new Group("group", (parent) => new VmRestore("web", machine, { parent, provider }));
    });
    const intent = run.find("Intent", "web-vm-intent");
    const restore = run.find("VmRestore", "web");
    assert.match(intent.request.getParent(), /test:index:Group::group$/);
    assert.equal(intent.request.getParent(), restore.request.getParent());
    assert.match(intent.request.getProvider(), /::site::/);
    assert.equal(intent.request.getProvider(), restore.request.getProvider());
  });

  it("make the intent depend on everything that the restore depends on, however dependsOn is written", async () => {
    const run = await runProgram(() => {
      const [a, b] = [1, 2].map((id) => new VmRestore(`after-${String(id)}`, { ...machine, virtualMachineId: id }));
      assert.ok(a && b);
      new VmRestore("one", { ...machine, virtualMachineId: 11 }, { dependsOn: a });
      new VmRestore("list", { ...machine, virtualMachineId: 12 }, { dependsOn: [a, pulumi.output(b)] });
      new VmRestore("output", { ...machine, virtualMachineId: 13 }, { dependsOn: pulumi.output([a, b]) });
    });
    const dependencies = (name: string) => [...run.find("Intent", `${name}-vm-intent`).dependencies].sort();
    assert.deepEqual(dependencies("one"), ["after-1"]);
    assert.deepEqual(dependencies("list"), ["after-1", "after-2"]);
    assert.deepEqual(dependencies("output"), ["after-1", "after-2"]);
  });

  it("never protect the intent, even under a protected parent", async () => {
    const run = await runProgram(() => {
      new VmRestore("alone", machine, { protect: true });
      return new Group("group", (parent) => new VmRestore("web", machine, { parent }), { protect: true });
    });
    for (const name of ["alone", "web"]) {
      assert.equal(run.find("VmRestore", name).request.getProtect(), true);
      assert.equal(run.find("Intent", `${name}-vm-intent`).request.getProtect(), false);
    }
  });

  it("include the restore's replacementTrigger, but not its hooks, time limits or deletion options", async () => {
    const excluded = { retainOnDelete: true, deleteBeforeReplace: true, customTimeouts: { create: "1h" } };
    const opts = { ...excluded, hooks: { beforeCreate: [] }, replacementTrigger: "monday" };
    const run = await runProgram(() => new VmRestore("web", machine, opts));
    const { request } = run.find("Intent", "web-vm-intent");
    assert.equal(request.getReplacementTrigger()?.toJavaScript(), "monday");
    assert.equal(request.getRetainondelete(), false);
    assert.equal(request.getDeletebeforereplacedefined(), false);
    assert.equal(request.getCustomtimeouts()?.getCreate(), "");
  });

  it("apply the restore's transformations to the intent too, because the two share their inputs", async () => {
    const to8: pulumi.ResourceTransformation = ({ props, opts }) => ({ props: { ...props, recoveryPointId: 8 }, opts });
    const run = await runProgram(() => new VmRestore("web", machine, { transformations: [to8] }));
    assert.equal(run.find("VmRestore", "web").inputs["recoveryPointId"], 8);
    assert.equal(run.find("Intent", "web-vm-intent").inputs["recoveryPointId"], 8);
  });

  it("include the restore's aliases, with the names that the intent had then, and without its former types", async () => {
    const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/recovery:VmRestore::text";
    const later = { name: pulumi.output("later"), type: "former" };
    const aliases = [urn, { name: "plain" }, later, pulumi.output({ name: "output" })];
    const run = await runProgram(() => new VmRestore("web", machine, { aliases }));
    const given = run.find("Intent", "web-vm-intent").request.getAliasesList();
    const names = given.map((one) => [one.getUrn(), one.getSpec()?.getType(), one.getSpec()?.getName()].join(""));
    const textUrn = "urn:pulumi:dev::shop::pulumi-nodejs:recovery:Intent::text-vm-intent";
    assert.deepEqual(names, [textUrn, "plain-vm-intent", "later-vm-intent", "output-vm-intent"]);
  });

  it("include the entries in the restore's ignoreChanges that apply to the intent", async () => {
    const args = { ...machine, paths: ["/a"], wait: true };
    const run = await runProgram(
      () => new FileRestore("etc", args, { ignoreChanges: ["triggers", "wait", "paths[0]"] }),
    );
    assert.deepEqual(run.find("Intent", "etc-file-intent").request.getIgnorechangesList(), ["triggers", "paths[0]"]);
  });
});

describe("an option that would cause another restore after any change", () => {
  const given: Readonly<Record<string, () => pulumi.CustomResourceOptions>> = {
    replaceOnChanges: () => ({ replaceOnChanges: ["timeouts"] }),
    replaceWith: () => ({ replaceWith: [new VmRestore("disk", { ...machine, virtualMachineId: 1 })] }),
  };
  for (const [option, opts] of Object.entries(given)) {
    it(`is rejected before anything is registered, with an error that suggests triggers: ${option}`, async () => {
      const said = `Restore "web" cannot have the option ${option}, so nothing was sent: .* add the value to triggers$`;
      const { registrations } = await runProgram(() => {
        const options = opts();
        for (const make of [VmRestore, FileRestore] as const)
          assert.throws(() => new make("web", { ...machine, paths: ["/a"] }, options), new RegExp(said));
      });
      assert.ok(!registrations.some(({ name }) => name.startsWith("web")));
    });
  }
});
