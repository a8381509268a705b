import assert from "node:assert/strict";
import { createSandbox, type SandboxPanel } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";

const start = Date.parse("2026-11-21T10:00:00Z");

/** When each restore started and ended, in seconds from the start of the test. */
function spans(panel: SandboxPanel): unknown[] {
  const seconds = (at: number | undefined): number | undefined => (at === undefined ? undefined : (at - start) / 1000);
  return panel.restores().map(({ startedAt, endedAt, status }) => [seconds(startedAt), seconds(endedAt), status]);
}

describe("the sandbox's job runner", () => {
  it("cancels the rest of a chain after a failed link", async () => {
    const clock = new VirtualClock();
    const panel = createSandbox({ clock, dialect: { chain: "chain" } });
    panel.postRestoreAsSomebodyElse(42, 1007, { outcome: "failed" });
    await clock.advance(3_600_000);
    const statuses = panel.transactions().map(({ status }) => status);
    assert.deepEqual(statuses.slice(-3), ["complete", "failed", "cancelled"]);
  });

  it("blocks a restore while other work has the machine locked, and only then", async () => {
    const clock = new VirtualClock();
    const panel = createSandbox({ clock });
    panel.addTransaction({ machineId: 42, action: "take_backup", status: "running", seconds: 30 });
    panel.addTransaction({ machineId: 43, action: "update_firewall", status: "running", seconds: 30, locks: false });
    panel.postRestoreAsSomebodyElse(42, 1007);
    panel.postRestoreAsSomebodyElse(43, 1007);
    await clock.advance(60_000);
    assert.deepEqual(spans(panel), [
      [30, 39, "complete"],
      [1, 10, "complete"],
    ]);
  });
});
