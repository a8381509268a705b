import assert from "node:assert/strict";
import { createServer } from "node:http";
import * as pulumi from "@pulumi/pulumi";
import { getRecoveryPointsOutput, getTransactionsOutput, getVmLogsOutput, Provider } from "../../provider";
import { startSandbox, type Sandbox } from "../../sandbox";
import { withoutConnection } from "./support/environment";
import { connectionTo, Group, seen, startEngine, Thing } from "./support/program";
import { listening } from "../support/listening";

describe("the Output forms", () => {
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

    it("are unknown while an argument is unknown", async () => {
      const thing = new Thing("thing");
      await unknownWithoutARequest(getTransactionsOutput({ limit: thing.later }));
      await unknownWithoutARequest(getVmLogsOutput({ virtualMachineId: thing.id }));
      await unknownWithoutARequest(getRecoveryPointsOutput({ virtualMachineId: 42, before: thing.id }));
    });

    it("are unknown while a setting of their provider is unknown", async () => {
      const thing = new Thing("thing");
      const provider = new Provider("made", { ...connection(panel), endpoint: thing.id });
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
  });

  describe("of lists", () => {
    beforeEach(() => start("up"));

    it("are not secret when the lists are plain", async () => {
      assert.equal((await seen(getTransactionsOutput())).isSecret, false);
      assert.equal((await seen(getVmLogsOutput({ virtualMachineId: 42 }))).isSecret, false);
      assert.equal((await seen(getRecoveryPointsOutput({ virtualMachineId: 42 }))).isSecret, false);
    });

    it("are secret when the lists are detailed, even if they are empty", async () => {
      assert.equal((await seen(getTransactionsOutput({ detailed: true }))).isSecret, true);
      assert.equal((await seen(getTransactionsOutput({ detailed: true, page: 999 }))).isSecret, true);
    });

    it("are secret for a machine's log only when its entries have free text", async () => {
      const answers = { entry: { id: 1, action: "restore_backup", params: { key: "value" } } };
      const server = createServer((_request, response) => {
        response.setHeader("content-type", "application/json").end(JSON.stringify([{ log_item: answers.entry }]));
      });
      const endpoint = `http://127.0.0.1:${await listening(server)}`;
      const provider = new Provider("other", { endpoint, username: "u", password: "p" });
      try {
        assert.equal((await seen(getVmLogsOutput({ virtualMachineId: 42, provider }))).isSecret, true);
        Object.assign(answers.entry, { params: {} });
        assert.equal((await seen(getVmLogsOutput({ virtualMachineId: 42, provider }))).isSecret, false);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  });
});

function connection(panel: Sandbox) {
  return { endpoint: panel.url, username: panel.username, password: panel.password };
}
