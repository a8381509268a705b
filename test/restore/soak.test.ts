import assert from "node:assert/strict";
import { soak } from "./support/soak";

/**
 * The simulated panel writes down about 2 kB per restore. A row is about a kilobyte in memory and a look brings a hundred of
 * them, so keeping what the waits have looked at would be twice this and more.
 */
const mostBytesPerWait = 5 * 1024;

describe("a process that waits for a thousand restores, a hundred at a time, over more than a day", () => {
  it("keeps no timers, no turns and no memory", async function () {
    this.timeout(240_000);
    const waits = { waits: 1_000, atOnce: 100, restoreSeconds: 60, restHours: 3 };
    const { simulatedDays, bytesPerWait } = await soak({ format: "json", ...waits });
    assert.ok(simulatedDays > 1, `${String(simulatedDays)} days`);
    assert.ok(bytesPerWait < mostBytesPerWait, `${String(Math.round(bytesPerWait))} bytes are left of each wait`);
  });
});
