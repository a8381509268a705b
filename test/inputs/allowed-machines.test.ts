import assert from "node:assert/strict";
import { ConfigurationError, readAllowedMachines, whyNotAllowed } from "../../provider/inputs/settings";
import { allowedByProviderKey, processSources } from "../../provider/inputs/settings-sources";
import { pluginSources } from "../../provider/plugin/plugin-sources";

interface Places {
  readonly provider?: unknown;
  readonly stack?: unknown;
  readonly environment?: string;
}

const environmentOf = ({ environment }: Places): Record<string, string> =>
  environment === undefined ? {} : { RECOVERY_ALLOWED_MACHINES: environment };

/** The sources of settings in both kinds of process. */
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
      // The key as Pulumi 3.255 writes it. Other releases add the namespace in front.
      PULUMI_CONFIG: JSON.stringify({ allowedMachines: places.stack }),
    }),
};

const allowed: readonly (readonly [string, Places, readonly string[], readonly string[]])[] = [
  ["no list at all", {}, ["42", "web-1"], []],
  ["a list with commas", { stack: "41, 42" }, ["41", "42"], ["4", "43", "41, 42"]],
  ["a JSON list of strings", { stack: '["41","42"]' }, ["41", "42"], ["43"]],
  ["a JSON list of numbers", { stack: "[41, 42]" }, ["41", "42"], ["43"]],
  ["a single id", { environment: "42" }, ["42"], ["43"]],
  ["a machine's name", { stack: "web-1" }, ["web-1"], ["Web-1", "web"]],
  ["an empty list", { stack: "[]" }, [], ["42"]],
  ["two lists", { stack: "41,42", environment: "42,43" }, ["42"], ["41", "43"]],
  ["three lists", { provider: ["1", "2"], stack: "[2,3]", environment: "2,1,3" }, ["2"], ["1", "3"]],
  ["lists with nothing in common", { provider: '["1"]', stack: "2" }, [], ["1", "2"]],
  ["an empty list and another list", { provider: "[]", stack: "2" }, [], ["2"]],
];

const wrong: readonly (readonly [string, Places, RegExp])[] = [
  ["an empty value", { environment: "" }, /RECOVERY_ALLOWED_MACHINES is empty/],
  ["an empty value and a list", { stack: "42", environment: "" }, /RECOVERY_ALLOWED_MACHINES is empty/],
  ["an empty provider value and a list", { provider: "", stack: "42" }, /provider.* is empty/],
];

for (const [kind, sourcesOf] of Object.entries(kinds)) {
  describe(`the allowedMachines settings of ${kind}`, () => {
    for (const [name, places, yes, no] of allowed) {
      it(`allow ${yes.join(", ") || "none"} and reject ${no.join(", ") || "none"}, given ${name}`, () => {
        const lists = readAllowedMachines(sourcesOf(places));
        for (const machine of yes) assert.equal(whyNotAllowed(machine, lists), undefined, machine);
        for (const machine of no)
          assert.match(whyNotAllowed(machine, lists) ?? "", /is not among the machines/, machine);
      });
    }

    for (const [name, places, problem] of wrong) {
      it(`are rejected if they contain ${name}`, () => {
        assert.throws(
          () => readAllowedMachines(sourcesOf(places)),
          (error) => error instanceof ConfigurationError && problem.test(error.message),
        );
      });
    }

    it("cause an error that names every list without the machine, and no other list", () => {
      const places = { provider: ["1", "2", "3", "4", "5", "6", "8"], stack: "7", environment: "[]" };
      const why = whyNotAllowed("7", readAllowedMachines(sourcesOf(places))) ?? "";
      assert.match(
        why,
        /^machine 7 is .* it is not in .*provider.* \(1, 2, 3, 4, 5 and 2 more\), nor in RECOVERY_ALLOWED_MACHINES \(none\)$/,
      );
      assert.doesNotMatch(why, /stack/);
    });
  });
}
