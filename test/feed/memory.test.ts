import assert from "node:assert/strict";
import { growthInBytes } from "./support/busy-day";
import { long } from "../support/thorough";

describe("the feed's memory", () => {
  it("does not grow with the rows that pass a thousand waits", async () => {
    // 18,000 rows pass; a feed that kept so much as their ids would grow by a megabyte.
    const growth = await growthInBytes(1_000, 3 * 60_000);
    assert.ok(growth < 2 ** 19, `${String(growth)} bytes more`);
  }).timeout(120_000);
});

long.describe("the feed's memory over a day", () => {
  it("does not grow with the eight million rows that pass", async () => {
    const growth = await growthInBytes(10, 24 * 3_600_000);
    assert.ok(growth < 2 ** 20, `${String(growth)} bytes more`);
  }).timeout(600_000);
});
