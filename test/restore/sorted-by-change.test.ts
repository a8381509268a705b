import assert from "node:assert/strict";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { RestoreResult } from "../../provider/restore/result";
import type { Dialect } from "../../sandbox";
import { attempt, listeningVoice, makeIntent, planFor } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

const idStyles = ["integer", "alphanumeric"] as const satisfies readonly Dialect["idStyle"][];
/** In which order other people's older work ends, after the restore did: each leaves another trace of how the list is sorted. */
const orders = ["oldest last", "newest last", "mixed"] as const;

/** The transaction list is said to be newest first; by which stamp is not said. Sorted by the last change, rows made long ago stand on top. */
for (const idStyle of idStyles) {
  for (const order of orders) {
    describe(`a list sorted by change, ${idStyle} ids, older work ending ${order}`, () => {
      let panel: VirtualPanel;
      let older: readonly string[];
      beforeEach(async () => {
        panel = virtualPanel("json", { dialect: { sortedBy: "updated", idStyle, pageCap: 10 }, slots: 100 });
        older = Array.from({ length: 25 }, () =>
          panel.sandbox.addTransaction({ machineId: 43, action: "take_backup", seconds: 100_000, locks: false }),
        );
        await panel.clock.advance(60_000);
      });

      const endOlder = async (): Promise<void> => {
        const ids = order === "oldest last" ? [...older].reverse() : order === "newest last" ? older : mixed(older);
        for (const id of ids) {
          panel.sandbox.endTransaction(id, "complete");
          await panel.clock.advance(1_000);
        }
      };

      it("a killed run's restore is found by the next one, and nothing is posted again", async () => {
        const killed = panel.newSite({ isWatched: () => Promise.resolve(true) });
        const intent = await panel.clock.run(makeIntent(killed));
        void attempt(killed, planFor(intent), "first", listeningVoice());
        await panel.clock.advance(120_000);
        assert.equal(panel.sandbox.restores()[0]?.status, "complete");
        await endOlder();

        const record = good(
          await panel.clock.run(attempt(panel.newSite(), planFor(intent), "later", listeningVoice())),
        );
        assert.deepEqual([record.status, record.adopted], ["complete", true]);
        assert.equal(record.transactionId, panel.sandbox.restores()[0]?.transactionId);
        assert.equal(panel.sandbox.acceptedPosts(), 1);
      });

      it("a killed run that posted nothing is made up for", async () => {
        const intent = await panel.clock.run(makeIntent(panel.newSite()));
        await endOlder();
        const record = good(
          await panel.clock.run(attempt(panel.newSite(), planFor(intent), "later", listeningVoice())),
        );
        assert.deepEqual([record.status, record.adopted], ["complete", false]);
      });
    });
  }
}

function mixed<T>(items: readonly T[]): readonly T[] {
  return items.map((_item, index) => items[(index * 7) % items.length] as T);
}

function good(result: RestoreResult): RestoreRecord {
  if (result.kind === "good") return result.record;
  throw new Error(result.kind === "stored" ? result.reasons.join("\n") : result.reason);
}
