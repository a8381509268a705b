import assert from "node:assert/strict";
import type { Format } from "../../provider/panel/types";
import { awaitRestore } from "../../provider/restore/resume-restore";
import type { PanelSession } from "../../provider/restore/panel-session";
import { postRestore } from "../../provider/restore/post-restore";
import { makeIntent, requestFor, runOf } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

for (const format of ["json", "xml"] as const satisfies readonly Format[]) {
  describe(`a restore that nobody waited for, waited for after all, ${format}`, () => {
    let panel: VirtualPanel;
    beforeEach(() => {
      panel = virtualPanel(format);
    });
    afterEach(async () => {
      // The process that posted it follows it to its end.
      await panel.clock.advance(2 * 3_600_000);
      assert.equal(panel.clock.pending, 0, "no timer is left behind");
    });

    const post = async (session: PanelSession) => {
      const intent = await makeIntent(session, "42");
      const request = requestFor(intent, { wait: false });
      const { result, ended } = await postRestore(runOf(session, request), { kind: "first" });
      assert.equal(result.kind, "good");
      return { plan: request, ended, record: result.kind === "good" ? result.record : assert.fail() };
    };

    it("in the process that posted it: its end is known, and a place among the concurrent ones is taken once", async () => {
      const session = panel.newSession({ maxConcurrent: 1 });
      const { plan: request, record, ended } = await panel.clock.run(post(session));
      assert.ok(record.status === "pending" || record.status === "running", record.status);
      assert.equal(session.places.isFull, true);
      const waited = awaitRestore(runOf(session, request), record, ended);
      const { record: end, reasons } = await panel.clock.run(waited);
      assert.deepEqual([end.status, reasons], ["complete", []]);
      assert.deepEqual(end.transactionIds, panel.sandbox.restores()[0]?.transactionIds);
      assert.equal(session.places.isFull, false);
      assert.equal(panel.sandbox.acceptedPosts(42), 1);
    });

    it("in another process: it is found again by its transaction, and nothing is posted", async () => {
      const { plan: request, record } = await panel.clock.run(post(panel.newSession()));
      const later = panel.newSession({ maxConcurrent: 1 });
      const waited = awaitRestore(runOf(later, request), record, undefined);
      assert.equal(later.places.isFull, true);
      const { record: end } = await panel.clock.run(waited);
      assert.equal(end.status, "complete");
      assert.equal(later.places.isFull, false);
      assert.equal(panel.sandbox.acceptedPosts(42), 1);
    });

    it("that failed is a record with the end of its log, and no reason to wait longer", async () => {
      panel.sandbox.failNext(42, "failed");
      const session = panel.newSession();
      const { plan: request, record } = await panel.clock.run(post(session));
      const {
        record: end,
        reasons,
        tail,
      } = await panel.clock.run(awaitRestore(runOf(session, request), record, undefined));
      assert.deepEqual([end.status, reasons], ["failed", []]);
      assert.ok(tail.length > 0);
      // What has ended needs no panel.
      assert.deepEqual((await awaitRestore(runOf(session, request), end, undefined)).record, end);
    });

    it("whose limit passes is a reason, and goes on to be waited for", async () => {
      panel.sandbox.failNext(42, { seconds: 3_600 });
      const session = panel.newSession();
      const { plan: request, record } = await panel.clock.run(post(session));
      const short = { ...request, timeouts: { ...request.timeouts, runMs: 60_000 } };
      const first = await panel.clock.run(awaitRestore(runOf(session, short), record, undefined));
      assert.match(first.reasons.join(), /has not ended within the run limit of 1m/);
      const then = await panel.clock.run(awaitRestore(runOf(session, request), first.record, undefined));
      assert.equal(then.record.status, "complete");
      assert.equal(panel.sandbox.acceptedPosts(42), 1);
    });
  });
}
