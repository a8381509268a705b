import assert from "node:assert/strict";
import { readSettings } from "../../provider/inputs/settings";
import { wrapSecrets } from "../../provider/plugin/secrets";
import { pluginSources } from "../../provider/plugin/plugin-sources";

const asSecret = (value: unknown): unknown => wrapSecrets({ value }, new Set(["value"]))["value"];

const stack = {
  "recovery:endpoint": "https://stack.example",
  "recovery:username": "stack",
  "recovery:password": "stack-password",
  "recovery:allowedMachines": "42",
};
const environment = { PULUMI_CONFIG: JSON.stringify(stack), RECOVERY_FORMAT: "xml", RECOVERY_USERNAME: "environment" };

describe("the settings of a plugin's process", () => {
  /** How the engine spells the stack's keys. The spelling changed after version 3.254. */
  const spellings: readonly (readonly [string, (key: string) => string])[] = [
    ["recovery:endpoint", (key) => key],
    ["recovery:config:endpoint", (key) => key.replace(":", ":config:")],
    ["endpoint", (key) => key.replace("recovery:", "")],
  ];
  for (const [spelling, spelled] of spellings) {
    it(`come from the provider first, then the stack, then the environment, with keys like ${spelling}`, () => {
      const own = { endpoint: "https://own.example", password: asSecret("own-password"), allowedMachines: "42" };
      const config = Object.fromEntries(Object.entries(stack).map(([key, value]) => [spelled(key), value]));
      const given = { ...environment, PULUMI_CONFIG: JSON.stringify(config) };
      const settings = readSettings(pluginSources(own, given));
      assert.equal(settings.endpoint, "https://own.example");
      assert.equal(settings.username, "stack");
      assert.equal(settings.password.reveal(), "own-password");
      assert.equal(settings.format, "xml");
      assert.equal(settings.allowedMachines.length, 1, "the stack's list, which the engine repeats");
      assert.equal(readSettings(pluginSources({}, given)).endpoint, "https://stack.example");
    });
  }
});
