import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { type Sandbox, useScene } from "./support/scene";
import { inline } from "./support/inline";
import { vm } from "./support/one-restore";
import { stored } from "./support/stored";
import { waitUntil } from "./support/wait-until";

function listRequests(panel: Sandbox): number {
  return panel.requests().filter((one) => one.method === "GET").length;
}

describe("data sources on the real engine", () => {
  const scene = useScene();

  it("export the panel's lists in plain text, but encrypt lists with log text", async () => {
    const panel = await scene.panel({ dialect: { params: "secret" } });
    const id = panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 0 });
    await waitUntil(
      () => panel.restores().every(({ status }) => status === "complete"),
      10_000,
      "a restore with a log",
    );
    const stack = await scene.stack(
      inline(() => ({
        states: recovery
          .getTransactionsOutput({ limit: 3 })
          .transactions.apply((rows) => rows.map((row) => `${row.id} ${row.action ?? "?"}`)),
        log: recovery.getVmLogsOutput({ virtualMachineId: 42, limit: 2 }).items,
        detailed: recovery.getTransactionsOutput({ limit: 1, detailed: true }).transactions,
      })),
    );

    const { outputs } = await stack.up();

    assert.equal((outputs.states?.value as string[]).length, 3);
    assert.ok((outputs.states?.value as string[])[0]?.startsWith(`${id} `));
    assert.equal((outputs.log?.value as recovery.LogItem[]).length, 2);
    assert.deepEqual([outputs.states?.secret, outputs.log?.secret, outputs.detailed?.secret], [false, false, true]);
    const [row] = outputs.detailed?.value as recovery.Transaction[];
    assert.ok(row?.logOutput);
    const state = await stored(stack.place);
    assert.ok(state.includes(id), "plain rows as they are");
    assert.ok(!state.includes(row.logOutput.slice(0, 20)), "no log text in the state");
    assert.ok(!state.includes(panel.password), "no password in the state");
  });

  it("do not read the panel in a preview if a resource that they depend on does not exist yet", async () => {
    const panel = await scene.panel({ speed: 20 });
    const stack = await scene.stack(
      inline(() => {
        const web = vm("web");
        return {
          status: web.status,
          after: recovery
            .getTransactionsOutput({ limit: 1 }, { dependsOn: web })
            .transactions.apply((rows) => rows[0]?.id),
          argument: recovery.getVmLogsOutput({ virtualMachineId: web.transactionId.apply(() => 42) }).items.length,
        };
      }),
    );

    await stack.preview();
    assert.equal(listRequests(panel), 0);

    const { outputs } = await stack.up();
    assert.equal(outputs.status?.value, "complete");
    assert.equal(outputs.after?.value, panel.transactions().at(-1)?.id);
    assert.ok(Number(outputs.argument?.value) > 0);
  });
});
