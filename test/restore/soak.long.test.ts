import assert from "node:assert/strict";
import { mostBytesPerWait, soak } from "./support/soak";

describe("a process that waits for a thousand restores of an hour each, ten at a time, over days", () => {
  for (const format of ["json", "xml"] as const) {
    it(`keeps no timers, no turns and no memory (${format})`, async function () {
      this.timeout(60 * 60_000);
      const waits = { waits: 1_000, atOnce: 10, restoreSeconds: 3_600, restHours: 0.5 };
      const { simulatedDays, bytesPerWait } = await soak({ format, ...waits });
      assert.ok(simulatedDays > 5, `${String(simulatedDays)} days`);
      assert.ok(bytesPerWait < mostBytesPerWait, `${String(Math.round(bytesPerWait))} bytes are left of each wait`);
    });
  }
});
