import assert from "node:assert/strict";
import { attempt, recordingReporter, makeIntent, requestFor } from "../support/restore-programs";
import { virtualPanel } from "../support/virtual-panel";

const minute = 60_000;

for (const format of ["json", "xml"] as const) {
  describe(`an outage of a panel that numbers its answers, ${format}`, () => {
    it("is told once and now and then, not with every look", async () => {
      const panel = virtualPanel(format, {
        dialect: "modern",
        scenario: { machines: [{ id: 42, recoveryPoints: [1007], restoreSeconds: 60 * 60 }] },
      });
      const { clock, sandbox } = panel;
      const session = panel.newSession();
      const reporter = recordingReporter();
      const intent = await clock.run(makeIntent(session));
      const run = attempt(session, requestFor(intent), "first", reporter);
      await clock.advance(2 * minute);
      const before = reporter.said.length;
      sandbox.setFaults({ get: { serverError: {} } });
      await clock.advance(30 * minute);
      const during = reporter.said.slice(before);
      sandbox.setFaults({ get: {} });
      assert.equal((await clock.run(run)).kind, "good");
      assert.match(during.join("\n"), /Request id: /, "the panel numbers its answers");
      // One at once, then after half a minute, one, two and four, and every five minutes.
      assert.ok(during.length >= 5 && during.length <= 10, `${String(during.length)} lines:\n${during.join("\n")}`);
    });
  });
}
