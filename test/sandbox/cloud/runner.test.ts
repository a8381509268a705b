import assert from "node:assert/strict";
import { createSandbox } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";

describe("the sandbox's job runner", () => {
  it("cancels the rest of a chain after a failed link", async () => {
    const clock = new VirtualClock();
    const panel = createSandbox({ clock, dialect: { chain: "chain" } });
    panel.postRestoreAsSomebodyElse(42, 1007, { outcome: "failed" });
    await clock.advance(3_600_000);
    const statuses = panel.transactions().map(({ status }) => status);
    assert.deepEqual(statuses.slice(-3), ["complete", "failed", "cancelled"]);
  });

  it("blocks a restore only while other work locks the machine", async () => {
    const clock = new VirtualClock();
    const start = clock.now();
    const panel = createSandbox({ clock });
    panel.addTransaction({ machineId: 42, action: "take_backup", status: "running", seconds: 30 });
    panel.addTransaction({ machineId: 43, action: "update_firewall", status: "running", seconds: 30, locks: false });
    panel.postRestoreAsSomebodyElse(42, 1007);
    panel.postRestoreAsSomebodyElse(43, 1007);
    await clock.advance(60_000);
    const seconds = (at = NaN): number => (at - start) / 1000;
    const spans = panel.restores().map((one) => [seconds(one.startedAt), seconds(one.endedAt), one.status]);
    assert.deepEqual(spans, [
      [30, 39, "complete"],
      [1, 10, "complete"],
    ]);
  });
});
