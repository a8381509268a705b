import assert from "node:assert/strict";
import type { Format } from "../../provider/panel/types";
import { awaitRestore, refreshRecord } from "../../provider/restore/resume-restore";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { RestoreResult } from "../../provider/restore/result";
import { attempt, recordingReporter, makeIntent, requestFor, runOf } from "../support/restore-programs";
import { virtualPanel } from "../support/virtual-panel";

/**
 * A machine and its files from one point, left behind one after the other as a plan does: the first is stored as accepted, and only what has
 * waited for it knows its transaction. The run is killed right after the POST of the second one, of which nothing is stored.
 */
for (const format of ["json", "xml"] as const satisfies readonly Format[]) {
  describe(`a refresh of a restore beside one that a killed run has posted, ${format}`, () => {
    it("writes down as the first one's nothing that may be the second one's, which is then not posted again", async () => {
      const panel = virtualPanel(format);
      const killed = panel.newSession();
      const web = await panel.clock.run(makeIntent(killed));
      const leftBehind = requestFor(web, { wait: false });
      const stored = recordIn(await panel.clock.run(attempt(killed, leftBehind, "first", recordingReporter())));
      const waited = await panel.clock.run(awaitRestore(runOf(killed, leftBehind), stored, undefined));
      assert.equal(waited.record.status, "complete");
      const files = await panel.clock.run(makeIntent(killed, "42", { kind: "FileRestore" }));
      panel.sandbox.failNext(42, { seconds: 600 });
      const second = requestFor(files, { name: "content", wait: false });
      void attempt(killed, second, "first", recordingReporter());
      await panel.clock.advance(60_000);
      assert.equal(panel.sandbox.acceptedPosts(), 2);

      const refreshed = await panel.clock.run(refreshRecord(panel.newSession(), leftBehind, stored, web.id));
      // The next run claims what the first restore has recorded, and what its wave has.
      const session = panel.newSession();
      session.claims.claim(refreshed.transactionIds, web.id);
      session.claims.claim(waited.record.transactionIds, web.id);
      const found = recordIn(await panel.clock.run(attempt(session, second, "later", recordingReporter())));

      assert.equal(panel.sandbox.acceptedPosts(), 2);
      const [, its] = panel.sandbox.restores();
      assert.deepEqual([found.adopted, found.transactionIds], [true, [its?.transactionId]]);
      await panel.clock.advance(7_200_000);
      assert.equal(panel.clock.pending, 0, "no timer is left behind");
    });

    it("a run that looks for the first one anew, as for a wave that was renamed, takes the one made when it was posted", async () => {
      const panel = virtualPanel(format);
      const killed = panel.newSession();
      const web = await panel.clock.run(makeIntent(killed));
      const leftBehind = requestFor(web, { wait: false });
      panel.sandbox.failNext(42, { seconds: 300 });
      const stored = recordIn(await panel.clock.run(attempt(killed, leftBehind, "first", recordingReporter())));
      await panel.clock.run(awaitRestore(runOf(killed, leftBehind), stored, undefined));
      const files = await panel.clock.run(makeIntent(killed, "42", { kind: "FileRestore" }));
      panel.sandbox.failNext(42, { seconds: 600 });
      const second = requestFor(files, { name: "content", wait: false });
      void attempt(killed, second, "first", recordingReporter());
      await panel.clock.advance(60_000);

      const session = panel.newSession();
      const { record } = await panel.clock.run(awaitRestore(runOf(session, leftBehind), stored, undefined));
      const [first, its] = panel.sandbox.restores();
      assert.deepEqual([record.transactionIds, record.warnings], [[first?.transactionId], []]);
      const found = recordIn(await panel.clock.run(attempt(session, second, "later", recordingReporter())));
      assert.deepEqual([found.adopted, found.transactionIds], [true, [its?.transactionId]]);
      assert.equal(panel.sandbox.acceptedPosts(), 2);
      await panel.clock.advance(7_200_000);
    });
  });
}

function recordIn(result: RestoreResult): RestoreRecord {
  if (result.kind === "not-posted") assert.fail(result.reason);
  return result.record;
}
