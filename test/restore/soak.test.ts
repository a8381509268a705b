import assert from "node:assert/strict";
import { mostBytesPerWait, soak } from "./support/soak";

describe("a process that waits for a thousand restores, a hundred at a time, over more than a day", () => {
  it("keeps no timers, no turns and no memory", async function () {
    this.timeout(240_000);
    const waits = { waits: 1_000, atOnce: 100, restoreSeconds: 60, restHours: 3 };
    const { simulatedDays, bytesPerWait } = await soak({ format: "json", ...waits });
    assert.ok(simulatedDays > 1, `${String(simulatedDays)} days`);
    assert.ok(bytesPerWait < mostBytesPerWait, `${String(Math.round(bytesPerWait))} bytes are left of each wait`);
  });
});
