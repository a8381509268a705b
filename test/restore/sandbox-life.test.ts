import assert from "node:assert/strict";
import type { Format } from "../../provider/panel/types";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { RestoreResult } from "../../provider/restore/result";
import type { DialectOption } from "../../sandbox";
import { attempt, recordingReporter, makeIntent, refresh, requestFor, resume, take } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

const formats: readonly Format[] = ["json", "xml"];
const presets: readonly DialectOption[] = ["plain", "modern", "awkward", { preset: "plain", idStyle: "alphanumeric" }];

for (const format of formats) {
  for (const dialect of presets) {
    describe(`one restore, ${format}, ${typeof dialect === "string" ? dialect : "alphanumeric ids"}`, () => {
      let panel: VirtualPanel;
      beforeEach(() => {
        panel = virtualPanel(format, { dialect });
      });
      afterEach(() => {
        assert.equal(panel.clock.pending, 0, "no timer is left behind");
      });

      /** One `up` in a process of its own, as far as the restore itself goes. */
      const up = async (
        options: Parameters<typeof requestFor>[1] & { machine?: string } = {},
        reporter = recordingReporter(),
      ): Promise<RestoreResult> => {
        const session = panel.newSession();
        return panel.clock.run(
          (async () =>
            attempt(session, requestFor(await makeIntent(session, options.machine), options), "first", reporter))(),
        );
      };

      it("is posted once, waited for, and measured by the panel's stamps", async () => {
        const result = await up();
        const record = good(result);
        assert.equal(record.status, "complete");
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
        const [truth] = panel.sandbox.restores();
        assert.deepEqual(record.transactionIds, truth?.transactionIds);
        assert.equal(record.transactionId, truth?.transactionId);
        const seconds = ((truth?.endedAt ?? 0) - (truth?.requestedAt ?? 0)) / 1000;
        assert.ok(
          Math.abs((record.durationSeconds ?? -1) - seconds) <= 1,
          `${String(record.durationSeconds)} for ${String(seconds)}`,
        );
        assert.equal(record.adopted, false);
        assert.equal(record.mark, undefined);
      });

      it("of files is posted once and waited for", async () => {
        const session = panel.newSession();
        const result = await panel.clock.run(
          (async () =>
            attempt(
              session,
              requestFor(await makeIntent(session, "42", { kind: "FileRestore" })),
              "first",
              recordingReporter(),
            ))(),
        );
        assert.equal(good(result).status, "complete");
        assert.deepEqual(panel.sandbox.restores()[0]?.paths, ["/etc/hosts"]);
      });

      it("that fails is stored as failed, and the end of its log is said and in no reason", async () => {
        panel.sandbox.failNext(42, "failed");
        const reporter = recordingReporter();
        const result = await up({}, reporter);
        assert.equal(result.kind, "stored");
        const { record, reasons } = stored(result);
        assert.equal(record.status, "failed");
        assert.match(reasons.join(), /machine 42.*transactions? .*failed/s);
        assert.match(reporter.warned.join(), /the end of its log, secrets masked:[^]*Fatal: /);
        assert.doesNotMatch([...reasons, ...record.warnings].join(), /Fatal|end of its log/);
        assert.notEqual(record.logOutput, undefined);
      });

      it("that somebody cancels is stored as cancelled", async () => {
        panel.sandbox.failNext(42, "cancelled");
        const { record, reasons } = stored(await up());
        assert.equal(record.status, "cancelled");
        assert.match(reasons.join(), /cancelled.*(?:triggers|adopt: ").*(?:triggers|adopt: ")/s);
      });

      // Where the log alone names the machine, nothing blocks.
      if (dialect !== "awkward")
        it("waits for other work on the machine, and is not misled by it", async () => {
          panel.sandbox.addTransaction({ machineId: 42, action: "take_backup", seconds: 300, outcome: "failed" });
          const began = panel.clock.now();
          const record = good(await up());
          assert.equal(record.status, "complete");
          const posted = panel.sandbox.restores()[0]?.requestedAt ?? 0;
          assert.ok(posted - began >= 300_000, "posted after the backup had ended");
        });

      it("is not misled by other work that fails meanwhile", async () => {
        const session = panel.newSession();
        const intent = await panel.clock.run(makeIntent(session));
        const running = attempt(session, requestFor(intent));
        await panel.clock.advance(1_000);
        panel.sandbox.addTransaction({
          machineId: 42,
          action: "update_firewall",
          seconds: 2,
          outcome: "failed",
          locks: false,
        });
        panel.sandbox.addTransaction({
          machineId: 42,
          action: "take_backup",
          seconds: 2,
          outcome: "complete",
          locks: false,
        });
        assert.equal(good(await panel.clock.run(running)).status, "complete");
      });

      it("posted while its answer was lost is found and not posted again", async () => {
        panel.sandbox.setFaults({ post: { acceptThen500: { first: 1 } } });
        const record = good(await up());
        assert.equal(record.status, "complete");
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
      });

      it("whose answer was lost and that never appears is stored as sent, and looked for again later", async () => {
        panel.sandbox.setFaults({ post: { resetBefore: { first: 1 } } });
        const { record, reasons } = stored(await up());
        assert.equal(record.status, "sent");
        assert.match(reasons.join(), /adopt: ".*triggers|triggers.*adopt: "/s);
        const again = panel.newSession();
        const request = requestFor(await panel.clock.run(makeIntent(again)));
        const resumed = stored(await panel.clock.run(resume(again, request, record)));
        assert.equal(resumed.record.status, "sent");
        assert.equal(panel.sandbox.requests().filter(({ method }) => method === "POST").length, 1);
      });

      it("whose answer was lost is not mistaken for somebody's restore of a day later", async () => {
        panel.sandbox.setFaults({ post: { resetBefore: { first: 1 } } });
        const { record } = stored(await up());
        await panel.clock.advance(24 * 3_600_000);
        panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 1 });
        await panel.clock.advance(60_000);
        const later = panel.newSession();
        const request = requestFor(await panel.clock.run(makeIntent(later)));
        const resumed = stored(await panel.clock.run(resume(later, request, record)));
        assert.equal(resumed.record.status, "sent");
        assert.match(resumed.reasons.join(), /adopt: "/);
      });

      it("whose answer was lost is found by a later run soon after, with a warning that says so", async () => {
        panel.sandbox.setFaults({ post: { resetBefore: { first: 1 } } });
        const { record } = stored(await up());
        panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 1 });
        await panel.clock.advance(60_000);
        const later = panel.newSession();
        const request = requestFor(await panel.clock.run(makeIntent(later)));
        const found = good(await panel.clock.run(resume(later, request, record)));
        assert.equal(found.status, "complete");
        assert.match(found.warnings.join(), /transaction /);
      });

      it("that is refused stores nothing", async () => {
        panel.sandbox.setFaults({ post: { refuse: { first: 1 } } });
        const result = await up();
        assert.equal(result.kind, "not sent");
        assert.equal(panel.sandbox.acceptedPosts(), 0);
      });

      it("runs into its run limit, and is resumed without a POST", async () => {
        panel.sandbox.failNext(42, { seconds: 600 });
        const limited = stored(
          await up({ timeouts: { busyMs: 0, listedMs: 120_000, runMs: 60_000, settleMs: 15_000 } }),
        );
        assert.match(limited.reasons.join(), /run.*1m/s);
        assert.equal(limited.record.status, "running");
        const later = panel.newSession();
        const request = requestFor(await panel.clock.run(makeIntent(later)));
        const refreshed = await panel.clock.run(refresh(later, request, limited.record));
        assert.equal(refreshed.status, "running");
        const resumed = good(await panel.clock.run(resume(later, request, refreshed)));
        assert.equal(resumed.status, "complete");
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
      });

      it("with wait: false returns once it is listed; a look later tells how it ended", async () => {
        const record = good(await up({ wait: false }));
        assert.ok(record.status === "pending" || record.status === "running", record.status);
        assert.ok(record.transactionIds.length > 0);
        await panel.clock.advance(600_000);
        const later = panel.newSession();
        const request = requestFor(await panel.clock.run(makeIntent(later)));
        const seen = await panel.clock.run(refresh(later, request, record));
        assert.equal(seen.status, "complete");
        assert.deepEqual(seen.warnings, [], "it was not looked for before, so nothing is odd");
      });

      it("killed after the POST is adopted by the next run", async () => {
        const killed = panel.newSession();
        const intent = await panel.clock.run(makeIntent(killed));
        panel.sandbox.failNext(42, { seconds: 300 });
        void attempt(killed, requestFor(intent));
        await panel.clock.advance(5_000);
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
        const reporter = recordingReporter();
        const record = good(await panel.clock.run(attempt(panel.newSession(), requestFor(intent), "later", reporter)));
        assert.equal(record.status, "complete");
        assert.equal(record.adopted, true);
        assert.match(reporter.warned.join(), /adopted/);
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
        await panel.clock.advance(600_000);
      });

      it("killed before the POST is posted by the next run, after the watch", async () => {
        const intent = await panel.clock.run(makeIntent(panel.newSession()));
        const began = panel.clock.now();
        const record = good(
          await panel.clock.run(attempt(panel.newSession(), requestFor(intent), "later", recordingReporter())),
        );
        assert.equal(record.adopted, false);
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
        assert.ok((panel.sandbox.restores()[0]?.requestedAt ?? 0) - began >= 150_000);
      });

      it("waits for somebody else's restore of the machine before the first attempt, and does not adopt it", async () => {
        panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 120 });
        await panel.clock.advance(1_000);
        const record = good(await up());
        assert.equal(record.adopted, false);
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
        assert.equal(panel.sandbox.restores().length, 2);
        assert.equal(record.transactionId, panel.sandbox.restores()[1]?.transactionId);
      });

      it("takes a transaction that adopt names", async () => {
        const id = panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 60 });
        await panel.clock.advance(10_000);
        const session = panel.newSession();
        const request = requestFor(await panel.clock.run(makeIntent(session)), { adopt: id });
        const record = good(await panel.clock.run(take(session, request, id)));
        assert.equal(record.status, "complete");
        assert.equal(panel.sandbox.acceptedPosts(42), 0);
      });

      it("goes through one lane with others of its machine", async () => {
        const session = panel.newSession();
        const results: RestoreResult[] = await panel.clock.run(
          (async () => {
            const plans = [];
            for (let i = 0; i < 3; i++) plans.push(requestFor(await makeIntent(session), { wait: i !== 1 }));
            return Promise.all(plans.map((request) => attempt(session, request)));
          })(),
        );
        const [first, left, last] = results.map((result) => good(result).status);
        assert.deepEqual([first, last], ["complete", "complete"]);
        assert.match(left ?? "", /^(pending|running)$/);
        const truth = panel.sandbox.restores();
        assert.equal(truth.length, 3);
        for (const [index, restore] of truth.entries()) {
          const before = truth[index - 1];
          if (before)
            assert.ok(restore.requestedAt >= (before.endedAt ?? Infinity), "posted after the one before had ended");
        }
        assert.equal(good(results[0] as RestoreResult).transactionId, truth[0]?.transactionId);
        assert.equal(good(results[2] as RestoreResult).transactionId, truth[2]?.transactionId);
      });
    });
  }
}

function good(result: RestoreResult): RestoreRecord {
  if (result.kind === "good") return result.record;
  throw new Error(result.kind === "stored" ? result.reasons.join("\n") : result.reason);
}

function stored(result: RestoreResult): { record: RestoreRecord; reasons: readonly string[] } {
  assert.equal(result.kind, "stored", JSON.stringify(result));
  return result;
}
