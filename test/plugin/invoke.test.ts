import assert from "node:assert/strict";
import { createProviderProcess } from "../../provider/engine/process";
import { environmentSource } from "../../provider/inputs/settings-sources";
import { invoke } from "../../provider/plugin/invoke";
import { pluginTypes, functionTokens } from "../../provider/inputs/resource-names";
import { withSandbox } from "../sandbox/support/ask";

/** The SDK leaves the outputs untyped. */
interface Answer {
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly failures?: readonly { readonly reason: string }[];
}

it("a function called through the plugin returns what the panel lists, using the provider process's settings", async () => {
  const recoveryPoints = [
    { id: 1, ageSeconds: 90_000 },
    { id: 2, ageSeconds: 60, state: "Synced" },
    { id: 3, state: "new" },
  ];
  await withSandbox({ scenario: { machines: [{ id: 42, recoveryPoints }] } }, async (panel) => {
    const environment = {
      RECOVERY_ENDPOINT: panel.url,
      RECOVERY_USERNAME: panel.username,
      RECOVERY_PASSWORD: panel.password,
      RECOVERY_POINT_STATES: "synced",
    };
    const sources = [environmentSource(environment)];
    const providerProcess = createProviderProcess({ types: pluginTypes, engineAddress: undefined, sources });
    const inputs = { virtualMachineId: "42", within: "1d" };
    const { outputs, failures } = (await invoke(providerProcess, functionTokens.getRecoveryPoints, inputs)) as Answer;
    const found = (outputs["points"] as { id: string; usable: boolean }[]).map(({ id, usable }) => [id, usable]);
    assert.deepEqual([failures, outputs["virtualMachineId"], outputs["within"]], [undefined, "42", "1d"]);
    assert.deepEqual(found, [
      ["2", true],
      ["3", false],
    ]);
    const listed = async (token: string, args: object) => (await invoke(providerProcess, token, args)) as Answer;
    assert.ok(Array.isArray((await listed(functionTokens.getTransactions, {})).outputs["transactions"]));
    assert.ok(Array.isArray((await listed(functionTokens.getVmLogs, { virtualMachineId: "42" })).outputs["items"]));
    const [failure] = (await listed(functionTokens.getTransactions, { limt: 2 })).failures ?? [];
    assert.equal(failure?.reason, 'no request was made: there is no argument limt, did you mean "limit"?');
  });
});
