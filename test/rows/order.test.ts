import assert from "node:assert/strict";
import * as fc from "fast-check";
import {
  idsAbove,
  inOrder,
  isOlder,
  type ListOrder,
  markOf,
  orderOf,
  reachesMark,
  type Row,
} from "../../provider/rows/order";
import { withIds } from "./listed";

const panel = "https://panel.example";
const pageLength = 10;

/** The ids of a list, oldest first, and whether a page shows an order. */
const kinds: readonly (readonly [what: string, order: ListOrder, id: (nth: number) => string])[] = [
  ["decimal ids", "numbers", (nth) => String(4_990 + nth)],
  ["lettered ids", "pages", (nth) => `t${((nth * 7_919 + 13) % 46_656).toString(36)}x`],
  ["decimal ids in no order", "pages", (nth) => String(((nth * 7_919 + 13) % 46_656) + 1)],
];

/** How a panel lists the rows of one page. */
type Shuffle = (rows: readonly Row[]) => readonly Row[];
const rising: Shuffle = (rows) => rows.toReversed();
const asIs: Shuffle = (rows) => rows;

/** The newest pages of a list of which so many rows are made. */
function pagesOf(
  made: number,
  id: (nth: number) => string,
  count: number,
  shuffle: Shuffle,
): readonly (readonly Row[])[] {
  const newest = withIds(...Array.from({ length: made }, (_, nth) => id(nth)).reverse());
  const pages = Array.from({ length: Math.ceil(made / pageLength) }, (_, page) =>
    shuffle(newest.slice(page * pageLength, (page + 1) * pageLength)),
  );
  return pages.slice(0, count);
}

const ids = (rows: readonly Row[]): readonly string[] => rows.map((row) => row.id);
const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();

describe("above a mark", () => {
  for (const [what, order, id] of kinds) {
    it(`is what was made since, and nothing else, once a row at or below it was read: ${what}`, () => {
      const scene = fc.record({
        before: fc.nat(45),
        since: fc.nat(45),
        pages: fc.integer({ min: 1, max: 10 }),
        shuffle: fc.constantFrom(asIs, rising),
      });
      fc.assert(
        fc.property(scene, ({ before, since, pages: count, shuffle }) => {
          const [newest = []] = pagesOf(before, id, 1, shuffle);
          const mark = markOf(newest, order, panel, undefined);
          const pages = pagesOf(before + since, id, count, shuffle);
          const isWhole = pages.flat().length === before + since;
          const above = sorted([...idsAbove(pages, mark)]);
          const made = Array.from({ length: since }, (_, nth) => id(before + nth));
          const read = ids(pages.flat());
          if (reachesMark(inOrder(pages, order), mark, order, isWhole)) assert.deepEqual(above, sorted(made));
          else assert.deepEqual(above, sorted(read));
          assert.equal(
            reachesMark(inOrder(pages, order), mark, order, isWhole),
            before === 0 ? isWhole : read.length > since,
          );
        }),
      );
    });
  }

  it("is, for the mark of an empty list, everything, and known at the end of the list alone", () => {
    const mark = markOf([], "numbers", panel, undefined);
    const pages = [withIds("2", "1")];
    assert.deepEqual([...idsAbove(pages, mark)], ["2", "1"]);
    assert.deepEqual(
      [true, false].map((isWhole) => reachesMark(pages.flat(), mark, "numbers", isWhole)),
      [true, false],
    );
  });

  it("is never known from a list that holds nothing of the mark any more", () => {
    const mark = markOf(withIds("a1", "b2"), "pages", panel, undefined);
    assert.equal(reachesMark(withIds("c3", "d4"), mark, "pages", true), false);
  });
});

describe("a mark", () => {
  it("is the newest id where numbers are the order, else the ids of the page, and when it was taken", () => {
    const takenAt = "2026-11-21T10:00:00.000Z";
    const time = Date.parse(takenAt);
    assert.deepEqual(markOf(withIds("8", "9", "7"), "numbers", panel, time), { panel, newestId: "9", takenAt });
    assert.deepEqual(markOf(withIds("b", "a"), "pages", panel, undefined), { panel, pageIds: ["b", "a"] });
    assert.deepEqual(markOf([], "numbers", panel, undefined), { panel, pageIds: [] });
  });

  it("is newer than a page of which every row is below it, and than an empty page", () => {
    const mark = markOf(withIds("12", "11"), "numbers", panel, undefined);
    const pages = [withIds("11", "10"), [], withIds("13", "12"), withIds("12")];
    assert.deepEqual(
      pages.map((page) => isOlder(page, mark, "numbers")),
      [true, true, false, false],
    );
  });
});

describe("the order of a page", () => {
  const table: readonly (readonly [ids: string, order: ListOrder | "not proven"])[] = [
    ["9 8 7 6 5 4", "numbers"],
    ["4 5 6 7 8 9", "numbers"],
    ["9 7 8 6 5 4", "numbers"],
    ["8 9 7 6 5 4", "numbers"],
    ["9 8 7", "not proven"],
    ["730112 981544", "not proven"],
    ["", "not proven"],
    ["3 9 1 7 5", "pages"],
    ["tx-3 tx-2 tx-1", "pages"],
    ["9 8 x7", "pages"],
  ];
  for (const [page, order] of table)
    it(`of ${page === "" ? "no rows" : page}: ${order}`, () => {
      assert.equal(orderOf(withIds(...page.split(" ").filter((id) => id !== ""))) ?? "not proven", order);
    });
});
