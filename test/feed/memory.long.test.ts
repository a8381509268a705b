import assert from "node:assert/strict";
import { growthInBytes } from "./support/busy-day";

describe("the feed's memory over a day", () => {
  it("does not grow with the eight million rows that pass", async () => {
    const growth = await growthInBytes(10, 24 * 3_600_000);
    assert.ok(growth < 2 ** 20, `${String(growth)} bytes more`);
  }).timeout(600_000);
});
