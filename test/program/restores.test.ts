import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { FileRestore, VmRestore } from "../../provider";
import { seen } from "./support/program";
import { runProgram } from "./support/program-run";

const machine = { virtualMachineId: 42, recoveryPointId: "7" };
const secretKey = "4dabf18193072939515e22adb298388d";

describe("a restore in a program", () => {
  it("hides internal properties from diffs, and never has retainOnDelete, regardless of what the program or the parent sets", async () => {
    const run = await runProgram(() => {
      new VmRestore("web", machine, { retainOnDelete: true, hideDiffs: ["triggers"] });
      new VmRestore("db", { ...machine, virtualMachineId: 43 });
    });
    const { request } = run.find("VmRestore", "web");
    const ofRestore = "triggers __intent __behind __previous __known __followed";
    assert.deepEqual(request.getHidediffsList(), ofRestore.split(" "));
    const intent = run.find("Intent", "web-vm-intent").request;
    const ofIntent =
      "__kind virtualMachineId recoveryPointId recoveryPoint paths triggers mark __behind __previous __known __row choice";
    assert.deepEqual(intent.getHidediffsList(), ofIntent.split(" "));
    for (const name of ["web", "db"]) {
      const registered = run.find("VmRestore", name).request;
      assert.deepEqual([registered.hasRetainondelete(), registered.getRetainondelete()], [true, false], name);
    }
  });

  it("has every output as soon as it is constructed, but knows only its inputs in a preview", async () => {
    const run = await runProgram(() => new VmRestore("web", { ...machine, triggers: ["a"] }), "preview");
    assert.deepEqual([VmRestore.isInstance(run.result), FileRestore.isInstance(run.result)], [true, false]);
    const known = ["virtualMachineId", "recoveryPointId", "triggers"] as const;
    for (const name of known) assert.equal((await seen<unknown>(run.result[name])).isKnown, true, name);
    const recorded = [
      ...(["status", "transactionId", "transactionIds", "action", "requestedAt", "startedAt", "finishedAt"] as const),
      ...(["queuedSeconds", "durationSeconds", "failedPart", "adopted", "warnings", "logOutput"] as const),
    ];
    for (const name of recorded) assert.equal((await seen<unknown>(run.result[name])).isKnown, false, name);
    for (const name of ["timeouts", "wait", "adopt", "retryFailed", "captureLog"] as const) {
      assert.ok(pulumi.Output.isInstance(run.result[name]), name);
    }
  });

  it("keeps its log secret, as well as any outputs in additionalSecretOutputs", async () => {
    const run = await runProgram(() => new VmRestore("web", machine, { additionalSecretOutputs: ["action"] }));
    const { request } = run.find("VmRestore", "web");
    assert.deepEqual(request.getAdditionalsecretoutputsList(), ["action", "logOutput"]);
  });

  it("keeps a secret trigger secret in the restore, in its intent, and in the restore's copy of the intent", async () => {
    const triggers = ["plain", pulumi.secret("hidden")];
    const run = await runProgram(() => new VmRestore("web", { ...machine, triggers }));
    const inputs = run.find("VmRestore", "web").inputs as {
      triggers: unknown[];
      __intent: { madeFor: { triggers: unknown[] } };
    };
    const intent = run.find("Intent", "web-vm-intent").inputs as { triggers: unknown[] };
    for (const list of [inputs.triggers, intent.triggers, inputs.__intent.madeFor.triggers]) {
      assert.ok(isSecret(list) || (list[0] === "plain" && isSecret(list[1])));
    }
    assert.equal(isSecret(inputs.__intent), false);
  });

  it("distinguishes two dates among the triggers", async () => {
    const triggers = [new Date(0), { since: [new Date(1)] }, new Date(NaN), pulumi.output("x"), null];
    const run = await runProgram(() => new VmRestore("web", { ...machine, triggers }));
    const withTexts = ["1970-01-01T00:00:00.000Z", { since: ["1970-01-01T00:00:00.001Z"] }, "Invalid Date", "x", null];
    assert.deepEqual(run.find("VmRestore", "web").inputs["triggers"], withTexts);
    assert.deepEqual(run.find("Intent", "web-vm-intent").inputs["triggers"], withTexts);
  });

  const imported = (kind: string): RegExp =>
    new RegExp(`${kind} "web" cannot be imported.*remove the option and set adopt to its transaction`);
  const refused: Readonly<Record<string, readonly [message: RegExp, construct: () => unknown]>> = {
    "no name": [/a VmRestore needs a name/, () => new VmRestore(undefined as never, machine)],
    "no inputs": [/VmRestore "web" needs inputs, such as virtual/, () => new VmRestore("web", undefined as never)],
    "the import option": [imported("VmRestore"), () => new VmRestore("web", machine, { import: "5010" })],
    "the id option": [imported("FileRestore"), () => new FileRestore("web", { ...machine, paths: [] }, { id: "5010" })],
    "the urn option": [imported("VmRestore"), () => new VmRestore("web", machine, { urn: "urn:pulumi:s::p::t::web" })],
  };
  for (const [what, [message, construct]] of Object.entries(refused))
    it(`is rejected before anything is registered if it has ${what}`, async () => {
      const run = await runProgram(() => {
        assert.throws(construct, (error) => pulumi.RunError.isInstance(error) && message.test(error.message));
      });
      assert.equal(run.registrations.length, 1);
    });

  const limits: readonly [option: pulumi.CustomTimeouts, given: object | undefined][] = [
    [{ delete: "5m" }, undefined],
    [{ create: "1h30m", delete: "1s" }, { create: "1h30m" }],
    // Programs in YAML and Go always send all limits.
    [{ create: "", update: "", delete: "" }, undefined],
  ];
  for (const [option, given] of limits)
    it(`passes on customTimeouts as ${JSON.stringify(given)} when they are ${JSON.stringify(option)}`, async () => {
      const run = await runProgram(() => new VmRestore("web", machine, { customTimeouts: option }));
      assert.deepEqual(run.find("VmRestore", "web").inputs["customTimeouts"], given);
    });

  it("formats only two stack traces while it is constructed, although the SDK captures a trace for each property", async () => {
    const settings: { prepareStackTrace?: unknown } = Error;
    const print = settings.prepareStackTrace;
    let printed = 0;
    settings.prepareStackTrace = (error: Error) => {
      printed++;
      return String(error);
    };
    try {
      await runProgram(() => {
        printed = 0;
        new VmRestore("web", machine);
        assert.equal(printed, 2);
      });
    } finally {
      settings.prepareStackTrace = print;
    }
  });
});

function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && secretKey in value;
}
