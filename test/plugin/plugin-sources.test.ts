import assert from "node:assert/strict";
import { readSettings } from "../../provider/inputs/settings";
import { unknownString } from "../../provider/inputs/read-values";
import { wrapSecrets } from "../../provider/plugin/secrets";
import { pluginSources } from "../../provider/plugin/plugin-sources";

const asSecret = (value: unknown): unknown => wrapSecrets({ value }, new Set(["value"]))["value"];

const stack = {
  "recovery:endpoint": "https://stack.example",
  "recovery:username": "stack",
  "recovery:password": "stack-password",
};
const environment = { PULUMI_CONFIG: JSON.stringify(stack), RECOVERY_FORMAT: "xml", RECOVERY_USERNAME: "environment" };

describe("the settings of a plugin's process", () => {
  /** How the engine spells the stack's keys, up to 3.254 and since then. */
  const spellings: readonly (readonly [string, (key: string) => string])[] = [
    ["recovery:endpoint", (key) => key],
    ["recovery:config:endpoint", (key) => key.replace(":", ":config:")],
    ["endpoint", (key) => key.replace("recovery:", "")],
  ];
  for (const [spelling, spelled] of spellings) {
    it(`come from the provider first, then the stack, then the environment, with keys like ${spelling}`, () => {
      const own = { endpoint: "https://own.example", password: asSecret("own-password") };
      const config = Object.fromEntries(Object.entries(stack).map(([key, value]) => [spelled(key), value]));
      const given = { ...environment, PULUMI_CONFIG: JSON.stringify(config) };
      const settings = readSettings(pluginSources(own, given));
      assert.equal(settings.endpoint, "https://own.example");
      assert.equal(settings.username, "stack");
      assert.equal(settings.password.reveal(), "own-password");
      assert.equal(settings.format, "xml");
      assert.equal(readSettings(pluginSources({}, given)).endpoint, "https://stack.example");
    });
  }

  it("may be numbers, booleans and lists, in plain form or as JSON", () => {
    const given = { pageSize: 50, insecure: true, restoreActions: ["a", "b"], completeStatuses: '["done"]' };
    const settings = readSettings(pluginSources(given, environment));
    assert.equal(settings.pageSize, 50);
    assert.equal(settings.insecure, true);
    assert.deepEqual(settings.restoreActions, ["a", "b"]);
    assert.deepEqual(settings.completeStatuses, ["done"]);
  });

  it("are not taken from another source when they are unknown", () => {
    assert.throws(
      () => readSettings(pluginSources({ endpoint: unknownString }, environment)),
      /endpoint of the provider is not known yet/,
    );
    assert.throws(
      () => readSettings(pluginSources({ endpoint: asSecret(unknownString) }, environment)),
      /not known yet/,
    );
  });
});
