import assert from "node:assert/strict";
import type { PanelOptions } from "../../sandbox";
import { attempt, recordingReporter, makeIntent, requestFor } from "../support/restore-programs";
import { virtualPanel } from "../support/virtual-panel";

const runsFor = 600;
const machine = { id: "10001", recoveryPoints: [1007], restoreSeconds: runsFor };

/** Whether a restore has ended is known once all above its mark was read in one request, or again after it had ended. */
const panels: Readonly<Record<string, PanelOptions>> = {
  "one page shows the mark": { scenario: { machines: [machine], background: { perSecond: 0.1 } } },
  "the mark lies pages down": {
    dialect: { pageCap: 10 },
    scenario: { machines: [machine], background: { perSecond: 0.1 } },
  },
  "the list was empty": { scenario: { machines: [machine] } },
};

for (const format of ["json", "xml"] as const) {
  for (const [name, options] of Object.entries(panels)) {
    it(`the end of a restore is known within ten seconds where ${name}, ${format}`, async () => {
      const panel = virtualPanel(format, options);
      const { clock, sandbox } = panel;
      await clock.advance(60_000);
      const session = panel.newSession();
      const request = requestFor(await clock.run(makeIntent(session, machine.id)));
      const result = await clock.run(attempt(session, request, "first", recordingReporter()));
      assert.equal(result.kind, "good");
      const lagMs = clock.now() - (sandbox.restores()[0]?.endedAt ?? Number.NaN);
      assert.ok(lagMs <= 10_000, `${String(lagMs)} ms`);
      assert.equal(clock.pending, 0);
    });
  }
}
