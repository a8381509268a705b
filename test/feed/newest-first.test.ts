import assert from "node:assert/strict";
import { isNewestFirst } from "../../provider/feed/newest-first";
import type { Transaction, TransactionId } from "../../provider/panel/types";

/** Rows as `id` or `id made`, made in seconds after ten o'clock, or as a stamp. */
function rows(...each: (string | number)[]): Transaction[] {
  return each.map((row) => {
    const [id = "", made] = String(row).split(" ");
    const stamp = made === undefined ? undefined : /^\d+$/.test(made) ? at(Number(made)) : made;
    return { id: id as TransactionId, fields: {}, ...(stamp !== undefined && { createdAt: stamp }) };
  });
}

const at = (seconds: number): string => new Date(Date.parse("2026-11-21T10:00:00Z") + seconds * 1_000).toISOString();

describe("a page that is newest first", () => {
  const cases: readonly [name: string, page: Transaction[], is: boolean][] = [
    ["is empty", [], true],
    ["has one row", rows("7 0"), true],
    ["falls by its stamps", rows("9 300", "8 200", "7 100"), true],
    ["falls by its stamps, whatever its ids are", rows("a 300", "z 200", "5 100"), true],
    ["has rows a minute out of order", rows("8 200", "9 260", "7 140", "6 200"), true],
    ["has a row more than a minute younger than one above it", rows("b 200", "a 261"), false],
    ["has a younger stamp below, where the clock was set back, and decimal ids", rows("9 200", "8 900"), true],
    ["has such a row further down", rows("9 300", "c 20", "7 70", "8 290"), false],
    ["is sorted by the last change", rows("3 10", "90 900", "80 800"), false],
    ["names its zones differently", rows("9 2026-11-21T12:00:30+02:00", "8 2026-11-21T10:00:10Z"), true],
    ["has no stamps, and falling ids", rows(9, 8, 7), true],
    ["has no stamps, and ids a page's rows out of order", rows(6, 9, 7), true],
    ["has no stamps, and ids further out of order", rows(5, 9, 7), false],
    ["is oldest first, though each row is within a page of its place", rows(1, 2, 3, 4, 5, 6, 7, 8, 9), false],
    ["is a short one of which two rows were read in turned order", rows(8, 9), true],
    ["has a job's parts in turned order on top", rows(7, 8, 9, 6, 5, 4), true],
    ["has neither stamps nor ids that compare", rows("x", "b", "q"), true],
    ["has stamps that name no zone, which count as none", rows("9 2026-10-25T02:10:00", "8 2026-10-25T02:50:00"), true],
    ["has a row without a stamp below one of a much smaller id", rows("5 300", "90"), false],
  ];
  for (const [name, page, is] of cases) {
    it(`${name}: ${is ? "yes" : "no"}`, () => {
      assert.equal(isNewestFirst(page), is);
    });
  }
});
