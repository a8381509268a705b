import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { useScene } from "./support/scene";
import { inline } from "./support/inline";
import { vm } from "./support/one-restore";
import { stored } from "./support/stored";

describe("data sources on the real engine", () => {
  const scene = useScene();

  it("read the panel after the resources that they depend on are created, and store lists in plain text, except lists with log text", async () => {
    const panel = await scene.panel({ speed: 20, dialect: { params: "secret" } });
    const stack = await scene.stack(
      inline(() => {
        const web = vm("web");
        const after = { dependsOn: web };
        return {
          restored: web.transactionId,
          newest: recovery.getTransactionsOutput({ limit: 1 }, after).transactions.apply(([row]) => row?.id),
          detailed: recovery.getTransactionsOutput({ limit: 1, detailed: true }, after).transactions,
          log: recovery.getVmLogsOutput({ virtualMachineId: web.transactionId.apply(() => 42), limit: 2 }).items,
        };
      }),
    );
    await stack.preview();
    assert.equal(panel.requests().length, 0);

    const { restored, newest, detailed, log } = (await stack.up()).outputs;
    const [row] = detailed!.value as recovery.Transaction[];
    assert.deepEqual([newest?.value, row?.id], [restored?.value, restored?.value]);
    assert.equal((log!.value as recovery.LogItem[]).length, 2);
    assert.deepEqual([newest?.secret, log?.secret, detailed?.secret], [false, false, true]);
    assert.ok(row?.logOutput);
    const state = await stored(stack.place);
    assert.ok(!state.includes(row.logOutput.slice(0, 20)), "no log text in the state");
  });
});
