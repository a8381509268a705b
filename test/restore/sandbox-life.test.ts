import assert from "node:assert/strict";
import type { Format } from "../../provider/panel/types";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { RestoreResult } from "../../provider/restore/result";
import type { DialectOption } from "../../sandbox";
import { attempt, recordingReporter, makeIntent, requestFor } from "../support/restore-programs";
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

      it("posted while its answer was lost is found and not posted again", async () => {
        panel.sandbox.setFaults({ post: { acceptThen500: { first: 1 } } });
        const record = good(await up());
        assert.equal(record.status, "complete");
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
      });

      it("that is refused stores nothing", async () => {
        panel.sandbox.setFaults({ post: { refuse: { first: 1 } } });
        const result = await up();
        assert.equal(result.kind, "not sent");
        assert.equal(panel.sandbox.acceptedPosts(), 0);
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
