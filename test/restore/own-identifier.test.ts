import assert from "node:assert/strict";
import type { Format, TransactionId } from "../../provider/panel/types";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { RestoreResult } from "../../provider/restore/result";
import { attempt, recordingReporter, makeIntent, requestFor, take } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

/**
 * A panel whose rows carry the identifier of what is worked on: the machine's on a backup of the machine, the recovery point's on
 * a restore, which names no machine. Rows have shown the machine's identifier, and only the machine's log ties the restore to it.
 */
for (const format of ["json", "xml"] as const satisfies readonly Format[]) {
  describe(`a panel where a restore's identifier is its point's own, ${format}`, () => {
    let panel: VirtualPanel;
    beforeEach(async () => {
      panel = virtualPanel(format, { dialect: { machineTie: "target" } });
      showMachine();
      await panel.clock.advance(60_000);
    });
    /** A row that has the machine's identifier beside the machine. */
    const showMachine = (): void => {
      panel.sandbox.addTransaction({ machineId: 42, action: "take_backup", status: "complete" });
    };
    afterEach(() => {
      assert.equal(panel.clock.pending, 0, "no timer is left behind");
    });

    it("a first run finds its restore through the machine's log", async () => {
      const session = panel.newSession();
      const intent = await panel.clock.run(makeIntent(session));
      const record = good(await panel.clock.run(attempt(session, requestFor(intent), "first", recordingReporter())));
      assert.deepEqual([record.status, record.adopted], ["complete", false]);
      assert.equal(record.transactionId, panel.sandbox.restores()[0]?.transactionId);
    });

    it("after a kill the next run finds it too, and posts nothing", async () => {
      const killed = panel.newSession();
      const intent = await panel.clock.run(makeIntent(killed));
      panel.sandbox.failNext(42, { seconds: 300 });
      void attempt(killed, requestFor(intent), "first", recordingReporter());
      await panel.clock.advance(5_000);
      showMachine();
      const next = attempt(panel.newSession(), requestFor(intent), "later", recordingReporter());
      const record = good(await panel.clock.run(next));
      assert.deepEqual([record.status, record.adopted], ["complete", true]);
      assert.equal(panel.sandbox.acceptedPosts(), 1);
      await panel.clock.advance(600_000);
    });

    it("adopt takes it by its id", async () => {
      const id = panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 60 }) as TransactionId;
      showMachine();
      await panel.clock.advance(10_000);
      const session = panel.newSession();
      const request = requestFor(await panel.clock.run(makeIntent(session)), { adopt: id });
      const taken = good(await panel.clock.run(take(session, request, id, "x", recordingReporter())));
      assert.deepEqual([taken.status, taken.transactionIds], ["complete", [id]]);
    });

    it("another machine's restore is not taken, and is not waited for", async () => {
      const session = panel.newSession();
      const intent = await panel.clock.run(makeIntent(session));
      panel.sandbox.postRestoreAsSomebodyElse(43, 1007, { seconds: 3_000 });
      const record = good(await panel.clock.run(attempt(session, requestFor(intent), "later", recordingReporter())));
      assert.deepEqual([record.status, record.adopted], ["complete", false]);
      assert.equal(record.transactionId, panel.sandbox.restores()[1]?.transactionId);
      assert.ok((record.durationSeconds ?? Infinity) < 100);
    });

    it("somebody's restore of the machine is waited for before ours is posted", async () => {
      const session = panel.newSession();
      const intent = await panel.clock.run(makeIntent(session));
      panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 120 });
      await panel.clock.run(attempt(session, requestFor(intent, { adopt: "never" }), "first", recordingReporter()));
      const [theirs, ours] = panel.sandbox.restores();
      assert.ok((ours?.requestedAt ?? 0) >= (theirs?.endedAt ?? Infinity));
    });
  });
}

function good(result: RestoreResult): RestoreRecord {
  if (result.kind === "good") return result.record;
  throw new Error(result.kind === "stored" ? result.reasons.join("\n") : result.reason);
}
