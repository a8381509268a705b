import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Operations } from "../../provider/engine";
import { customResources } from "../../provider/plugin/custom-resources";
import { unwrapSecrets, wrapSecrets } from "../../provider/plugin/secrets";
import { pluginTypes } from "../../provider/inputs/resource-names";

const asSecret = (value: unknown): unknown => wrapSecrets({ value }, new Set(["value"]))["value"];

const canary = "canary";
const urn = `urn:pulumi:s::p::recovery:index:VmRestore$${pluginTypes.VmRestore}::web`;

/** Properties whose secrets, at any depth, all contain the canary, which occurs nowhere else. */
const properties = fc.dictionary(
  fc.constantFrom("triggers", "paths", "timeouts", "__intent", "adopt"),
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("x", 7, true, null),
      fc.constant(asSecret(canary)),
      fc.constant(asSecret([{ in: canary }])),
      fc.constant(asSecret([asSecret(canary)])),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("value"), { noNullPrototype: true }),
    ),
  })).value,
  { noNullPrototype: true },
);

const signature = "4dabf18193072939515e22adb298388d";

const inTheClear = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && signature in inner ? 0 : inner,
  );

/** A resource that returns its inputs as outputs, with a log that contains the canary. */
const mirror: Operations = {
  check: (_olds, news) => ({ inputs: plain(news), failures: [] }),
  diff: () => ({}),
  create: (inputs) => Promise.resolve({ id: "1", outs: { ...plain(inputs), logOutput: canary } }),
  update: (_id, _olds, news) => Promise.resolve({ outs: { ...plain(news), logOutput: canary } }),
  read: (id, props) => Promise.resolve({ id, props: { ...plain(props), logOutput: canary } }),
  delete: () => Promise.resolve(),
};

function plain(given: unknown): Record<string, unknown> {
  assert.ok(!JSON.stringify(given).includes(signature), "the resource receives plain values");
  return given as Record<string, unknown>;
}

describe("secrets on their way through the plugin", () => {
  it("are unwrapped at every depth, and wrapped again in every answer, as is the log", async () => {
    const plugin = customResources(new Map([[pluginTypes.VmRestore, mirror]]));
    await fc.assert(
      fc.asyncProperty(properties, async (given) => {
        const checked = await plugin.check(urn, {}, given);
        const answers = [
          checked,
          await plugin.create(urn, given),
          await plugin.update("1", urn, given, given),
          await plugin.read("1", urn, given),
        ];
        for (const answer of answers) assert.ok(!inTheClear(answer).includes(canary), JSON.stringify(answer));
        const { properties: values, secret } = unwrapSecrets(given);
        const expected = new Set([...secret].filter((name) => values[name] !== null));
        assert.deepEqual(unwrapSecrets(checked.inputs), { properties: values, secret: expected });
      }),
    );
  });

  it("appear neither in what is stored after a failure nor in the reasons that check returns", async () => {
    const failing: Operations = {
      ...mirror,
      check: () => ({
        inputs: {},
        failures: ["adopt", "wait"].map((property) => ({ property, reason: `${property} is "${canary}"` })),
      }),
      create: (inputs) =>
        Promise.reject(Object.assign(new Error("failed"), { id: "1", properties: inputs, reasons: ["failed"] })),
    };
    const plugin = customResources(new Map([[pluginTypes.VmRestore, failing]]));
    const given = { adopt: asSecret(canary), triggers: [asSecret(canary)] };
    const error: unknown = await plugin.create(urn, given).catch((thrown: unknown) => thrown);
    assert.ok(!inTheClear((error as { properties: unknown }).properties).includes(canary));
    const { failures } = await plugin.check(urn, {}, given);
    const [adopt, wait] = failures ?? [];
    assert.match(adopt?.reason ?? "", /^adopt is a secret/);
    assert.equal(wait?.reason, `wait is "${canary}"`);
  });
});
