import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { FileRestore, Provider, VmRestore } from "../../provider";
import { seen } from "./support/program";
import { heardWarnings } from "./support/heard";

const ids = { virtualMachineId: 42, recoveryPointId: 7 };
/** As in Pulumi's guide on unit tests. */
const mocks: pulumi.runtime.Mocks = {
  newResource: ({ name, inputs }) => ({ id: `${name}_id`, state: inputs as Record<string, unknown> }),
  call: ({ inputs }) => inputs as Record<string, unknown>,
};
const forgetful: pulumi.runtime.Mocks = { ...mocks, newResource: ({ name }) => ({ id: `${name}_id`, state: {} }) };

/** Every output of a resource, by name. An output that rejects fails the test. */
async function outputsOf(resource: object): Promise<Readonly<Record<string, unknown>>> {
  const entries = Object.entries(resource).filter(([, value]) => pulumi.Output.isInstance(value));
  const known = entries.map(async ([name, output]) => [name, (await seen(output as pulumi.Output<unknown>)).value]);
  return Object.fromEntries(await Promise.all(known)) as Readonly<Record<string, unknown>>;
}

describe("a program that is tested with Pulumi's mocks", () => {
  heardWarnings();

  for (const [which, given, preview] of [
    ["hand inputs back", mocks, false],
    ["hand inputs back, in a preview", mocks, true],
    ["hand nothing back", forgetful, false],
  ] as const) {
    it(`constructs every resource where they ${which}`, async () => {
      await pulumi.runtime.setMocks(given, "project", "stack", preview);
      const site = new Provider("site", { endpoint: "https://panel.example", username: "ada", password: "hunter2" });
      const resources = [
        new VmRestore("web", ids),
        new VmRestore("by-rule", { virtualMachineId: 42, recoveryPoint: { within: "7d" } }, { provider: site }),
        new FileRestore("etc", { ...ids, paths: ["/etc"], timeouts: { run: "1h" } }),
        site,
      ];
      for (const resource of resources) await outputsOf(resource);
    });
  }

  it("knows its inputs, and nothing that was measured", async () => {
    await pulumi.runtime.setMocks(mocks);
    const web = await outputsOf(new VmRestore("web", { ...ids, triggers: ["again"] }));
    assert.deepEqual(
      [web["virtualMachineId"], web["triggers"], web["status"], web["durationSeconds"]],
      [42, ["again"], undefined, undefined],
    );
  });
});
