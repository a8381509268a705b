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
          (async () => attempt(session, requestFor(await makeIntent(session, options.machine), options), reporter))(),
        );
      };

      it("is posted once, waited for, and measured by the panel's stamps", async () => {
        const record = good(await up());
        assert.equal(record.status, "complete");
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
        const [truth] = panel.sandbox.restores();
        assert.deepEqual(record.transactionIds, truth?.transactionIds);
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
        const { record, reasons } = stored(result);
        assert.equal(record.status, "failed");
        assert.match(reasons.join(), /machine 42.*transactions? .*failed/s);
        assert.match(reporter.warned.join(), /the end of its log, secrets masked:[^]*Fatal: /);
        assert.doesNotMatch([...reasons, ...record.warnings].join(), /Fatal|end of its log/);
        assert.notEqual(record.logOutput, undefined);
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
