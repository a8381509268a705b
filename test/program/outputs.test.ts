import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { getRecoveryPointsOutput, getTransactionsOutput, getVmLogsOutput, Provider } from "../../provider";
import { startSandbox, type Sandbox } from "../../sandbox";
import { withoutConnection } from "./support/environment";
import { connectionTo, Group, seen, startEngine, Thing } from "./support/program";
import { respond, serveRaw } from "../small-panels/serve";

describe("the Output forms of the functions", () => {
  withoutConnection();
  let panel: Sandbox;

  before(async () => {
    panel = await startSandbox();
  });

  after(() => panel.stop());

  const start = (run: "up" | "preview") => startEngine({ run, config: connectionTo(panel) });

  describe("in a preview", () => {
    beforeEach(() => start("preview"));

    async function unknownWithoutARequest(output: pulumi.Output<unknown>): Promise<void> {
      const before = panel.requests().length;
      assert.equal((await seen(output)).isKnown, false);
      assert.equal(panel.requests().length, before);
    }

    it("read the panel when everything is known", async () => {
      const { isKnown, value } = await seen(getTransactionsOutput({ limit: pulumi.output(2) }));
      assert.equal(isKnown, true);
      assert.equal(value?.transactions.length, 2);
    });

    it("are unknown while an argument or a setting of their provider is unknown", async () => {
      const thing = new Thing("thing");
      await unknownWithoutARequest(getTransactionsOutput({ limit: thing.later }));
      await unknownWithoutARequest(getVmLogsOutput({ virtualMachineId: thing.id }));
      await unknownWithoutARequest(getRecoveryPointsOutput({ virtualMachineId: 42, before: thing.id }));
      const provider = new Provider("made", { username: "u", password: "p", endpoint: thing.id });
      await unknownWithoutARequest(getTransactionsOutput({}, { provider }));
    });
  });

  describe("in an update", () => {
    beforeEach(() => start("up"));

    it("read the panel after their dependencies are created, and depend on them", async () => {
      const group = new Group("group", (one) => new Thing("in", { parent: one }));
      const { isKnown, resources } = await seen(getTransactionsOutput({}, { dependsOn: [group, new Thing("other")] }));
      assert.equal(isKnown, true);
      assert.ok(resources.includes("in") && resources.includes("other"), resources.join());
    });

    it("are secret when the list is detailed, even an empty list, but not otherwise", async () => {
      const isSecret = async (output: pulumi.Output<unknown>): Promise<boolean> => (await seen(output)).isSecret;
      assert.equal(await isSecret(getTransactionsOutput()), false);
      assert.equal(await isSecret(getVmLogsOutput({ virtualMachineId: 42 })), false);
      assert.equal(await isSecret(getRecoveryPointsOutput({ virtualMachineId: 42 })), false);
      assert.equal(await isSecret(getTransactionsOutput({ detailed: true })), true);
      assert.equal(await isSecret(getTransactionsOutput({ detailed: true, page: 999 })), true);
    });

    it("are secret for a machine's log only if its entries contain free text", async () => {
      const entry = { id: 1, action: "restore_backup", params: { key: "value" } };
      const server = await serveRaw((socket, request) => {
        const headers = { "content-type": "application/json" };
        respond(200, JSON.stringify([{ log_item: entry }]), headers)(socket, request);
      });
      const provider = new Provider("other", { endpoint: server.url, username: "u", password: "p" });
      try {
        assert.equal((await seen(getVmLogsOutput({ virtualMachineId: 42, provider }))).isSecret, true);
        Object.assign(entry, { params: {} });
        assert.equal((await seen(getVmLogsOutput({ virtualMachineId: 42, provider }))).isSecret, false);
      } finally {
        await server.stop();
      }
    });
  });
});
