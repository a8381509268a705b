import assert from "node:assert/strict";
import { compareIds, type MachineId, type RecoveryPointId, type TransactionId } from "../../provider/panel/types";
import type { PanelOptions } from "../../sandbox";
import { sandboxFeed } from "./support/sandbox-feed";
import { Recorder } from "./support/recorder";

const point = "1007" as RecoveryPointId;
const machineOf = (index: number): string => String(10_001 + index);

/** Restores as their life goes: the intent's mark, the page right before the POST, followed from the POST to the end. */
async function drill(
  restores: number,
  {
    seconds = () => 600,
    dialect = "plain",
  }: { seconds?: (index: number) => number; dialect?: PanelOptions["dialect"] },
): Promise<{ readonly requests: number; readonly worstLagMs: number }> {
  const panel = sandboxFeed("json", {
    slots: restores,
    dialect: dialect ?? "plain",
    scenario: {
      machines: Array.from({ length: restores }, (_, index) => ({
        id: machineOf(index),
        recoveryPoints: [1007],
        restoreSeconds: seconds(index),
      })),
    },
  });
  const { clock, sandbox, client, feed } = panel;
  await clock.advance(60_000);
  const before = panel.listRequests();
  const one = async (index: number): Promise<{ readonly machine: string; readonly at: number }> => {
    const machine = machineOf(index);
    await feed.newestPage();
    const newest = (await feed.newestPage()).rows[0]?.id;
    await client.restoreMachine(machine as MachineId, point);
    const subscriber = new Recorder(
      { mark: newest === undefined ? {} : { newestId: newest } },
      ({ associatedObjectId }) => associatedObjectId === machine,
    );
    subscriber.awaitedSinceNow = clock.now();
    return new Promise((resolve) => {
      let status: string | undefined;
      const subscription = feed.subscribe(subscriber);
      subscriber.afterRead = (read) => {
        subscriber.reads.length = 0;
        const row = read.rows.find(({ id }) => newest === undefined || (compareIds(id, newest) ?? 0) > 0);
        if (row === undefined) return;
        subscriber.ruleNow = { awaitedIds: [row.id] };
        if (row.status !== status) subscriber.awaitedSinceNow = clock.now();
        status = row.status;
        if (status !== "complete") return;
        subscription.close();
        resolve({ machine, at: clock.now() });
      };
    });
  };
  const known = await clock.run(Promise.all(Array.from({ length: restores }, (_, index) => one(index))));
  assert.equal(clock.pending, 0);
  const ends = new Map(sandbox.restores().map(({ machineId, endedAt }) => [machineId, endedAt]));
  const lags = known.map(({ machine, at }) => at - (ends.get(machine) ?? Number.NaN));
  return { requests: panel.listRequests() - before, worstLagMs: Math.max(...lags) };
}

describe("list requests, from the marks to the last end", () => {
  it("of a hundred restores of ten minutes are 70 at most", async () => {
    const { requests, worstLagMs } = await drill(100, {});
    assert.ok(requests <= 70 && worstLagMs <= 10_000, `${String(requests)}, ${String(worstLagMs)} ms`);
  });

  it("of a thousand are 700 at most", async () => {
    const { requests, worstLagMs } = await drill(1_000, {});
    assert.ok(requests <= 700 && worstLagMs <= 10_000, `${String(requests)}, ${String(worstLagMs)} ms`);
  }).timeout(120_000);

  it("of a hundred are 700 at most where the panel gives ten rows at a time", async () => {
    const { requests, worstLagMs } = await drill(100, { dialect: { preset: "plain", pageCap: 10 } });
    assert.ok(requests <= 700 && worstLagMs <= 10_000, `${String(requests)}, ${String(worstLagMs)} ms`);
  }).timeout(120_000);

  it("show each end within ten seconds where restores end one after the other", async () => {
    const { worstLagMs } = await drill(30, { seconds: (index) => 20 + index * 17 });
    assert.ok(worstLagMs <= 10_000, String(worstLagMs));
  });

  it("of a restore that an earlier run has begun, 100,000 rows down, are 30 at most to its end", async () => {
    for (const pageCap of [null, 10]) {
      const panel = sandboxFeed("json", {
        dialect: { preset: "plain", pageCap },
        scenario: { background: { perSecond: 20 } },
      });
      const { clock, sandbox, client, feed } = panel;
      await clock.run(client.restoreMachine("42" as MachineId, point));
      await clock.advance(5_000_000);
      const id = sandbox.restores()[0]!.transactionIds[0] as TransactionId;
      const before = panel.listRequests();
      const subscriber = new Recorder({ awaitedIds: [id] });
      const subscription = feed.subscribe(subscriber);
      await clock.advance(12_000);
      subscription.close();
      assert.equal(subscriber.reads.length, 2);
      assert.deepEqual(subscriber.lastDelivery, [`${id}:complete`]);
      assert.ok(panel.listRequests() - before <= 30, String(panel.listRequests() - before));
    }
  }).timeout(120_000);
});
