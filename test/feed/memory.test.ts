import assert from "node:assert/strict";
import { growthInBytes } from "./support/busy-day";

describe("the feed's memory", () => {
  it("does not grow with the rows that pass a thousand waits", async () => {
    // 18,000 rows pass; a feed that kept so much as their ids would grow by a megabyte.
    const growth = await growthInBytes(1_000, 3 * 60_000);
    assert.ok(growth < 2 ** 19, `${String(growth)} bytes more`);
  }).timeout(120_000);
});
