import assert from "node:assert/strict";
import fc from "fast-check";
import { Descent } from "../../provider/feed/floor";
import type { Floor } from "../../provider/feed/watching";
import type { TransactionId } from "../../provider/panel/types";

const id = (text: string | number): TransactionId => String(text) as TransactionId;
const ids = (...texts: (string | number)[]): TransactionId[] => texts.map(id);

const changedSince = Date.parse("2026-11-21T10:00:00Z");

/** Walks pages of ids, each with or without the word `changed`; after which page the floor was reached, and which rows were above or at it. */
function descend(
  floor: Floor,
  pages: (string | number)[][],
): { readonly after: number | "never"; readonly shown: string[] } {
  const descent = new Descent(floor);
  const shown: string[] = [];
  for (const [index, page] of pages.entries()) {
    const rows = page.map((row) => {
      const [name = "", word] = String(row).split(" ");
      return {
        id: id(name),
        updatedAt: word === undefined ? "2026-11-21T09:00:00Z" : "2026-11-21T11:00:00Z",
        fields: {},
      };
    });
    descent.startPage(rows.at(-1)?.id);
    for (const row of rows) if (descent.meet(row)) shown.push(row.id);
    descent.endPage();
    if (descent.reached) return { after: index + 1, shown };
  }
  return { after: "never", shown };
}

describe("a watch's floor", () => {
  const cases: readonly {
    readonly name: string;
    readonly floor: Floor;
    readonly pages: (string | number)[][];
    readonly after: number | "never";
    readonly shown: string;
  }[] = [
    { name: "nothing set: one page is enough", floor: {}, pages: [[9, 8], [7]], after: 1, shown: "9 8" },
    { name: "no ids yet counts as nothing set", floor: { ids: [] }, pages: [[9, 8], [7]], after: 1, shown: "9 8" },
    {
      name: "the mark is met, and below it rows that were changed since, down to a page that ends without one",
      floor: { above: id(5), changedSince },
      pages: [[9, 5, "2 changed"], [8, "3 changed"], [7, 4], [6]],
      after: 3,
      shown: "9 2 8 3 7",
    },
    {
      name: "the rows below the awaited ones, where they are asked for",
      floor: { ids: [id(28), id(27)], around: true },
      pages: [[29, 28], [27, 26, 25, 24, 23, 22, 21, 20], [19, 18, 17, 16], [15]],
      after: 3,
      shown: "29 28 27 26 25 24 23 22 21 20 19 18 17",
    },
    { name: "the mark is met", floor: { above: id(5) }, pages: [[9, 8], [6, 5], [4]], after: 2, shown: "9 8 6" },
    {
      name: "the mark's row is gone, an older one is met",
      floor: { above: id(6) },
      pages: [
        [9, 8],
        [5, 4],
      ],
      after: 2,
      shown: "9 8",
    },
    {
      name: "the row right above the mark leaves no room for another",
      floor: { above: id(7) },
      pages: [[9, 8], [7]],
      after: 1,
      shown: "9 8",
    },
    {
      name: "ids beyond 2^53 compare exactly",
      floor: { above: id("9007199254740993") },
      pages: [["9007199254740995"], ["9007199254740993"]],
      after: 2,
      shown: "9007199254740995",
    },
    {
      name: "ids do not compare: any row of the mark's page ends it",
      floor: { above: id("g"), aboveIds: ids("g", "f") },
      pages: [
        ["k", "j"],
        ["f", "e"],
      ],
      after: 2,
      shown: "k j",
    },
    {
      name: "ids do not compare and none of the mark's rows is left",
      floor: { aboveIds: ids("g") },
      pages: [["k"], ["j"]],
      after: "never",
      shown: "k j",
    },
    {
      name: "the mark was an empty list: all is above it",
      floor: { aboveNothing: true },
      pages: [[2], [1]],
      after: "never",
      shown: "2 1",
    },
    {
      name: "all awaited rows seen",
      floor: { ids: ids(8, 6) },
      pages: [[9, 8], [7, 6], [5]],
      after: 2,
      shown: "9 8 7 6",
    },
    {
      name: "rows below the oldest awaited one are not shown",
      floor: { ids: ids(8) },
      pages: [[9, 8, 7]],
      after: 1,
      shown: "9 8",
    },
    {
      name: "an awaited row is gone: an older row ends the search",
      floor: { ids: ids(6) },
      pages: [[9, 8], [7, 5], [4]],
      after: 2,
      shown: "9 8 7",
    },
    {
      name: "an awaited row is gone and ids do not compare",
      floor: { ids: ids("f") },
      pages: [["h"], ["g"]],
      after: "never",
      shown: "h g",
    },
    {
      name: "awaited rows all seen: no need to go down to the mark",
      floor: { ids: ids(8), above: id(2) },
      pages: [[9, 8], [7]],
      after: 1,
      shown: "9 8",
    },
    {
      name: "an awaited row is missing: down to the mark",
      floor: { ids: ids(8), above: id(4) },
      pages: [[9, 7], [6, 5], [4]],
      after: 2,
      shown: "9 7 6 5",
    },
    {
      name: "an awaited row below the mark is still shown",
      floor: { ids: ids(3), above: id(7) },
      pages: [[9, 6], [3]],
      after: 2,
      shown: "9 3",
    },
  ];

  for (const { name, floor, pages, after, shown } of cases) {
    it(name, () => {
      assert.deepEqual(descend(floor, pages), { after, shown: shown.split(" ") });
    });
  }

  it("is not reached before the first page, whatever it asks for", () => {
    for (const floor of [{}, { ids: ids(1) }, { above: id(1) }]) assert.equal(new Descent(floor).reached, false);
  });

  it("has shown every row above the mark by the time it is reached, however the pages are cut", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(300), { minLength: 1 }),
        fc.nat(300),
        fc.integer({ min: 1, max: 9 }),
        (numbers, mark, size) => {
          const newestFirst = [...numbers].sort((a, b) => b - a);
          const pages = Array.from({ length: Math.ceil(newestFirst.length / size) }, (_, page) =>
            newestFirst.slice(page * size, (page + 1) * size),
          );
          const { shown } = descend({ above: id(mark) }, pages);
          assert.deepEqual(
            shown.map(Number),
            newestFirst.filter((number) => number > mark),
          );
        },
      ),
    );
  });
});

describe("a mark that the list does not show any more", () => {
  const lost = (floor: Floor, page: (string | number)[]): boolean => {
    const descent = new Descent(floor);
    descent.startPage(page.length === 0 ? undefined : id(page.at(-1)!));
    for (const row of page) descent.meet({ id: id(row), fields: {} });
    descent.endPage();
    return descent.lostItsMark;
  };

  it("is lost where ids do not compare: nothing tells which rows are above it", () => {
    assert.equal(lost({ above: id("x"), aboveIds: ids("x", "y") }, ["c", "b", "a"]), true);
  });

  it("is not lost where another row of its page is met, where ids compare, or on an empty list", () => {
    assert.equal(lost({ above: id("x"), aboveIds: ids("x", "y") }, ["c", "y", "a"]), false);
    assert.equal(lost({ above: id(5), aboveIds: ids(5, 4) }, [9, 8, 7]), false);
    assert.equal(lost({ above: id("x"), aboveIds: ids("x", "y") }, []), false);
    assert.equal(lost({ aboveNothing: true }, ["c"]), false);
  });
});
