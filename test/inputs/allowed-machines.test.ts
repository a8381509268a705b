import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigurationError, readAllowedMachines, whyNotAllowed } from "../../provider/inputs/settings";
import { allowedByProviderKey, environmentSource, processSources } from "../../provider/inputs/settings-sources";
import { pluginSources } from "../../provider/plugin/plugin-sources";

interface Places {
  readonly provider?: unknown;
  readonly stack?: unknown;
  readonly environment?: string;
}

const environmentOf = ({ environment }: Places): Record<string, string> =>
  environment === undefined ? {} : { RECOVERY_ALLOWED_MACHINES: environment };

/** The sources of both kinds of processes. */
const kinds = {
  "a program in TypeScript": (places: Places) => {
    const config = new Map<string, unknown>([
      [allowedByProviderKey, places.provider],
      ["recovery:allowedMachines", places.stack],
    ]);
    return processSources({ get: (key) => config.get(key) }, environmentOf(places));
  },
  "the plugin": (places: Places) =>
    pluginSources(places.provider === undefined ? {} : { allowedMachines: places.provider }, {
      ...environmentOf(places),
      // As Pulumi 3.255 names it; other releases write the namespace before it.
      PULUMI_CONFIG: JSON.stringify({ allowedMachines: places.stack }),
    }),
};

const allowed: readonly (readonly [string, Places, readonly string[], readonly string[]])[] = [
  ["no list at all", {}, ["42", "web-1"], []],
  ["a list with commas", { stack: "41, 42" }, ["41", "42"], ["4", "43", "41, 42"]],
  ["a JSON list of texts", { stack: '["41","42"]' }, ["41", "42"], ["43"]],
  ["a JSON list of numbers", { stack: "[41, 42]" }, ["41", "42"], ["43"]],
  ["one id", { environment: "42" }, ["42"], ["43"]],
  ["names as written", { stack: "web-1" }, ["web-1"], ["Web-1", "web"]],
  ["an empty list", { stack: "[]" }, [], ["42"]],
  ["two places", { stack: "41,42", environment: "42,43" }, ["42"], ["41", "43"]],
  ["three places", { provider: ["1", "2"], stack: "[2,3]", environment: "2,1,3" }, ["2"], ["1", "3"]],
  ["places with nothing in common", { provider: '["1"]', stack: "2" }, [], ["1", "2"]],
  ["a place that allows none", { provider: "[]", stack: "2" }, [], ["2"]],
];

const wrong: readonly (readonly [string, Places, RegExp])[] = [
  ["an empty text", { environment: "" }, /RECOVERY_ALLOWED_MACHINES is empty/],
  ["an empty text beside a list", { stack: "42", environment: "" }, /RECOVERY_ALLOWED_MACHINES is empty/],
  ["an empty text of a provider beside a list", { provider: "", stack: "42" }, /provider.* is empty/],
];

for (const [kind, sourcesOf] of Object.entries(kinds)) {
  describe(`the machines that may be restored, by the settings of ${kind}`, () => {
    for (const [name, places, yes, no] of allowed) {
      it(`${name}: ${yes.join(", ") || "none"}, not ${no.join(", ") || "any other"}`, () => {
        const lists = readAllowedMachines(sourcesOf(places));
        for (const machine of yes) assert.equal(whyNotAllowed(machine, lists), undefined, machine);
        for (const machine of no)
          assert.match(whyNotAllowed(machine, lists) ?? "", /is not among the machines/, machine);
      });
    }

    for (const [name, places, problem] of wrong) {
      it(`${name} is an error`, () => {
        assert.throws(
          () => readAllowedMachines(sourcesOf(places)),
          (error) => error instanceof ConfigurationError && problem.test(error.message),
        );
      });
    }

    it("names each place that does not list a machine, and no other", () => {
      const why = whyNotAllowed(
        "7",
        readAllowedMachines(sourcesOf({ provider: ["1"], stack: "7", environment: "[]" })),
      );
      assert.match(
        why ?? "",
        /^machine 7 is .* it is not in .*provider.* \(1\), nor in RECOVERY_ALLOWED_MACHINES \(none\)$/,
      );
      assert.doesNotMatch(why ?? "", /stack/);
    });

    it("no place widens another one", () => {
      const ids = fc.array(fc.integer({ min: 1, max: 6 }));
      fc.assert(
        fc.property(ids, ids, ids, fc.integer({ min: 1, max: 6 }), (provider, stack, environment, machine) => {
          const places = { provider, stack: JSON.stringify(stack), environment: JSON.stringify(environment) };
          const why = whyNotAllowed(String(machine), readAllowedMachines(sourcesOf(places)));
          assert.equal(
            why === undefined,
            [provider, stack, environment].every((list) => list.includes(machine)),
          );
        }),
      );
    });
  });
}

describe("the list of the plugin's own provider", () => {
  it("is named once: it repeats the stack's", () => {
    const text = "[41]";
    const sources = kinds["the plugin"]({ provider: text, stack: text });
    assert.deepEqual(
      readAllowedMachines(sources).map(({ where }) => where),
      ["recovery:allowedMachines in the stack's configuration"],
    );
  });

  it("is read from the environment alone, too", () => {
    const [list] = readAllowedMachines([environmentSource({ RECOVERY_ALLOWED_MACHINES: "1" })]);
    assert.deepEqual(list, { where: "RECOVERY_ALLOWED_MACHINES", ids: ["1"] });
  });
});
