import assert from "node:assert/strict";
import { soak } from "./support/soak";

/** What the simulated panel writes down of the hundreds of looks in an hour, and far below what the rows of one look take. */
const mostBytesPerWait = 24 * 1024;

/** An hour of XML takes a minute to read, so its restores are shorter and their rests longer. */
const lasting = {
  json: { restoreSeconds: 3_600, restHours: 0.5 },
  xml: { restoreSeconds: 600, restHours: 1.2 },
};

describe("a process that waits for a thousand restores, ten at a time, over days", () => {
  for (const format of ["json", "xml"] as const) {
    it(`keeps no timers, no turns and no memory (${format})`, async function () {
      this.timeout(60 * 60_000);
      const waits = { waits: 1_000, atOnce: 10, ...lasting[format] };
      const { simulatedDays, bytesPerWait } = await soak({ format, ...waits });
      assert.ok(simulatedDays > 5, `${String(simulatedDays)} days`);
      assert.ok(bytesPerWait < mostBytesPerWait, `${String(Math.round(bytesPerWait))} bytes are left of each wait`);
    });
  }
});
