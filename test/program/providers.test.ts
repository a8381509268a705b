import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { getTransactions, getTransactionsOutput, Provider, RecoveryPlan, VmRestore } from "../../provider";
import { startSandbox, type Sandbox } from "../../sandbox";
import { settle } from "../support/virtual-clock";
import { withoutConnection } from "./support/environment";
import { connectionTo, seen, startEngine, type Engine } from "./support/program";

describe("the panel that a function reads", () => {
  withoutConnection();
  let main: Sandbox;
  let second: Sandbox;

  before(async () => {
    main = await startSandbox({ username: "main", password: "main-password" });
    second = await startSandbox({ username: "second", password: "second-password" });
  });

  after(() => Promise.all([main.stop(), second.stop()]));

  beforeEach(() => startEngine({ config: connectionTo(main) }));

  async function asked(call: () => PromiseLike<unknown>): Promise<"main" | "second"> {
    const before = [main.requests().length, second.requests().length];
    await call();
    const after = [main.requests().length, second.requests().length];
    assert.notEqual(after[0] === before[0], after[1] === before[1], "exactly one panel receives requests");
    assert.ok(
      [...main.requests(), ...second.requests()].every((one) => one.status === 200),
      "the credentials match the panel",
    );
    return after[0]! > before[0]! ? "main" : "second";
  }

  it("is the stack's panel, or the panel of the provider given in the options or arguments", async () => {
    assert.equal(await asked(() => getTransactions()), "main");
    const provider = new Provider("site", { endpoint: second.url, username: "second", password: "second-password" });
    for (const [args, opts] of [
      [{}, { provider }],
      [{ provider }, {}],
      [{ provider }, { provider }],
    ] as const)
      assert.equal(await asked(() => getTransactions(args, opts)), "second");
    assert.equal(await asked(() => seen(getTransactionsOutput({}, { provider }))), "second");
    assert.equal(await asked(() => seen(getTransactionsOutput({ provider }))), "second");
  });
});

describe("Provider", () => {
  withoutConnection();
  let engine: Engine;

  async function inputsOf(make: () => Provider): Promise<Record<string, unknown>> {
    const provider = make();
    await seen(provider.urn);
    assert.equal(engine.registered.at(-1)?.type, "pulumi:providers:pulumi-nodejs");
    return engine.registered.at(-1)?.inputs ?? {};
  }

  it("passes every setting to the provider process as text, under the setting's configuration key", async () => {
    engine = await startEngine();
    const settings = {
      ...{ endpoint: "https://dr.example", username: "dr", password: "s3cret", insecure: false },
      ...{ pageSize: 50, requestTimeout: 90, restoreActions: ["a", pulumi.output("b")] },
    };
    const inputs = await inputsOf(() => new Provider("site", settings));
    const { "recovery:password": password, ...rest } = inputs;
    assert.deepEqual(rest, {
      "recovery:endpoint": "https://dr.example",
      "recovery:username": "dr",
      "recovery:insecure": "false",
      "recovery:pageSize": "50",
      "recovery:requestTimeout": "90",
      "recovery:restoreActions": '["a","b"]',
      "recovery:settingsOfProvider": "site endpoint username password insecure requestTimeout pageSize restoreActions",
    });
    assert.equal(secretValue(password), "s3cret");
  });

  it("reads missing settings from the stack's configuration, not from the environment, and keeps secrets secret", async () => {
    engine = await startEngine({
      config: {
        "recovery:username": "ops",
        "recovery:password": "s3cret",
        "recovery:endpoint": "https://main.example",
      },
      secretKeys: ["recovery:username"],
    });
    process.env.RECOVERY_FORMAT = "xml";
    try {
      const inputs = await inputsOf(() => new Provider("site", { endpoint: "https://dr.example" }));
      const keys = ["endpoint", "password", "settingsOfProvider", "username"].map((key) => `recovery:${key}`);
      assert.deepEqual(Object.keys(inputs).sort(), keys);
      assert.equal(inputs["recovery:settingsOfProvider"], "site endpoint");
      assert.equal(inputs["recovery:endpoint"], "https://dr.example");
      assert.equal(secretValue(inputs["recovery:username"]), "ops");
      assert.equal(secretValue(inputs["recovery:password"]), "s3cret");
    } finally {
      delete process.env.RECOVERY_FORMAT;
    }
  });
});

/** The value of a secret, in the form in which the SDK passes secrets to the engine. */
function secretValue(input: unknown): unknown {
  assert.ok(typeof input === "object" && input !== null && "value" in input, "should be a secret");
  return input.value;
}

it("a misspelled setting in the stack keeps the program from registering any restore or any part of a plan", async () => {
  const { registered } = await startEngine({ config: { "recovery:allowedMachine": "43" } });
  const machine = { virtualMachineId: 42, recoveryPointId: 1007 };
  const plan = { run: "Q1", waves: [{ name: "data", restores: { db: machine } }] };
  for (const make of [() => new VmRestore("web", machine), () => new RecoveryPlan("shop", plan)])
    assert.throws(make, /recovery:allowedMachine in the stack's .* did you mean "recovery:allowedMachines"\? Nothing/);
  await settle(20);
  const names = registered.map(({ name }) => name);
  assert.deepEqual(names, ["shop"]);
});
