import assert from "node:assert/strict";
import { soak } from "./support/soak";
import { long } from "../support/thorough";

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

/** What the simulated panel writes down of the hundreds of looks in an hour, and far below what the rows of one look take. */
const mostBytesOverDays = 24 * 1024;

/** An hour of XML takes a minute to read, so its restores are shorter and their rests longer. */
const lasting = {
  json: { restoreSeconds: 3_600, restHours: 0.5 },
  xml: { restoreSeconds: 600, restHours: 1.2 },
};

long.describe("a process that waits for a thousand restores, ten at a time, over days", () => {
  for (const format of ["json", "xml"] as const) {
    it(`keeps no timers, no turns and no memory (${format})`, async function () {
      this.timeout(60 * 60_000);
      const waits = { waits: 1_000, atOnce: 10, ...lasting[format] };
      const { simulatedDays, bytesPerWait } = await soak({ format, ...waits });
      assert.ok(simulatedDays > 5, `${String(simulatedDays)} days`);
      assert.ok(bytesPerWait < mostBytesOverDays, `${String(Math.round(bytesPerWait))} bytes are left of each wait`);
    });
  }
});
