import assert from "node:assert/strict";
import type { Dialect } from "../../sandbox";
import { attempt, recordingReporter, makeIntent, requestFor } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

const idStyles = ["integer", "alphanumeric"] as const satisfies readonly Dialect["idStyle"][];

/** Sorted by the last change, rows made long ago stand on top: such a page does not tell what was made since, and decides nothing. */
for (const idStyle of idStyles) {
  describe(`a list sorted by change, ${idStyle} ids`, () => {
    let panel: VirtualPanel;
    let older: readonly string[];
    beforeEach(async () => {
      panel = virtualPanel("json", { dialect: { sortedBy: "updated", idStyle, pageCap: 10 }, slots: 100 });
      older = [];
      for (let i = 0; i < 25; i++) {
        older = [
          ...older,
          panel.sandbox.addTransaction({ machineId: 43, action: "take_backup", seconds: 100_000, locks: false }),
        ];
        await panel.clock.advance(120_000);
      }
    });
    afterEach(() => {
      assert.equal(panel.clock.pending, 0, "no timer is left behind");
    });

    /** The oldest last, so that it stands on top. */
    const endOlder = async (): Promise<void> => {
      for (const id of [...older].reverse()) {
        panel.sandbox.endTransaction(id, "complete");
        await panel.clock.advance(1_000);
      }
    };

    for (const which of ["first", "later"] as const) {
      it(`sends nothing, and says so, ${which} attempt`, async () => {
        const session = panel.newSession();
        const intent = await panel.clock.run(makeIntent(session));
        await endOlder();
        const result = await panel.clock.run(attempt(session, requestFor(intent), which, recordingReporter()));
        assert.equal(result.kind, "not-posted");
        assert.match(
          result.reason,
          /was not sent: the (panel's list is not sorted newest first|newest page of the panel's list is older).*Nothing is sent now/,
        );
        assert.equal(panel.sandbox.acceptedPosts(), 0);
      });
    }
  });
}
