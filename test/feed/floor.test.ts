import assert from "node:assert/strict";
import fc from "fast-check";
import { Descent } from "../../provider/feed/floor";
import type { Floor } from "../../provider/feed/watching";
import type { TransactionId } from "../../provider/panel/types";
import { floorOf } from "./support/recorder";

const id = (text: string | number): TransactionId => String(text) as TransactionId;
const ids = (...texts: (string | number)[]): TransactionId[] => texts.map(id);

interface Seen {
  /** After which page the floor was reached, and the mark. */
  readonly floor: number | "end" | "never";
  readonly mark: number | "end" | "never";
  readonly shown: string[];
}

/** Walks pages of ids, to the end of the list. Rows are shown until the floor is reached. */
function descend(floor: Partial<Floor>, pages: (string | number)[][], isNewestFirst = true): Seen {
  const descent = new Descent(floorOf(floor));
  const shown: string[] = [];
  let [reachedFloor, reachedMark]: [Seen["floor"], Seen["mark"]] = ["never", "never"];
  const note = (after: number | "end"): void => {
    if (reachedFloor === "never" && descent.reachedFloor) reachedFloor = after;
    if (reachedMark === "never" && descent.reachedMark) reachedMark = after;
  };
  for (const [index, page] of pages.entries()) {
    for (const row of page)
      if (descent.meet({ id: id(row), fields: {} }) && reachedFloor === "never") shown.push(id(row));
    const last = page.at(-1);
    descent.endPage(isNewestFirst && last !== undefined ? id(last) : undefined);
    note(index + 1);
  }
  descent.endList();
  note("end");
  return { floor: reachedFloor, mark: reachedMark, shown };
}

describe("a watch's floor", () => {
  const cases: readonly {
    readonly name: string;
    readonly floor: Partial<Floor>;
    readonly pages: (string | number)[][];
    readonly reached: Seen["floor"];
    readonly mark: Seen["mark"];
    readonly shown: string;
  }[] = [
    { name: "one page is enough", floor: {}, pages: [[9, 8], [7]], reached: 1, mark: "never", shown: "9 8" },
    { name: "no ids yet", floor: { ids: [] }, pages: [[9, 8], [7]], reached: 1, mark: "never", shown: "9 8" },
    {
      name: "the mark is met",
      floor: { above: id(5) },
      pages: [[9, 8], [6, 5], [4]],
      reached: 2,
      mark: 2,
      shown: "9 8 6 5",
    },
    {
      name: "the mark's row is gone, an older one is met",
      floor: { above: id(6) },
      pages: [
        [9, 8],
        [5, 4],
      ],
      reached: 2,
      mark: 2,
      shown: "9 8 5 4",
    },
    {
      name: "ids beyond 2^53 compare exactly",
      floor: { above: id("9007199254740993") },
      pages: [["9007199254740994"], ["9007199254740993"]],
      reached: 2,
      mark: 2,
      shown: "9007199254740994 9007199254740993",
    },
    {
      name: "ids do not compare: any row of the mark's page ends it, and what lies below is not shown",
      floor: { aboveIds: ids("g", "f") },
      pages: [
        ["k", "j"],
        ["f", "e"],
      ],
      reached: 2,
      mark: 2,
      shown: "k j",
    },
    {
      name: "ids do not compare: an awaited row below the mark is shown",
      floor: { aboveIds: ids("g"), ids: ids("e"), needs: "ids" },
      pages: [["k", "g"], ["f", "e"], ["d"]],
      reached: 2,
      mark: 1,
      shown: "k e",
    },
    {
      name: "ids do not compare and none of the mark's rows is left: nothing tells what is above it",
      floor: { aboveIds: ids("g") },
      pages: [["k"], ["j"]],
      reached: "never",
      mark: "never",
      shown: "k j",
    },
    {
      name: "a decimal mark below all there is",
      floor: { above: id(1) },
      pages: [[9], [8]],
      reached: "end",
      mark: "end",
      shown: "9 8",
    },
    {
      name: "the mark was an empty list: all is above it",
      floor: { aboveNothing: true },
      pages: [[2], [1]],
      reached: "end",
      mark: "end",
      shown: "2 1",
    },
    {
      name: "all awaited rows seen",
      floor: { ids: ids(8, 6) },
      pages: [[9, 8], [7, 6], [5]],
      reached: 2,
      mark: "never",
      shown: "9 8 7 6",
    },
    {
      name: "an awaited row is gone: an older row ends the search",
      floor: { ids: ids(6) },
      pages: [[9, 8], [7, 5], [4]],
      reached: 2,
      mark: "never",
      shown: "9 8 7 5",
    },
    {
      name: "an awaited row is gone and ids do not compare: the end of the list tells",
      floor: { ids: ids("f") },
      pages: [["h"], ["g"]],
      reached: "end",
      mark: "never",
      shown: "h g",
    },
    {
      name: "awaited rows all seen: no need to go down to the mark",
      floor: { ids: ids(8), above: id(2), needs: "ids" },
      pages: [[9, 8], [7], [2]],
      reached: 1,
      mark: 3,
      shown: "9 8",
    },
    {
      name: "awaited rows all seen, the mark besides",
      floor: { ids: ids(8), above: id(7), needs: "ids" },
      pages: [[9, 8, 7]],
      reached: 1,
      mark: 1,
      shown: "9 8 7",
    },
    {
      name: "the mark is needed, whatever of the awaited rows was seen",
      floor: { ids: ids(8, 3), above: id(4), needs: "mark" },
      pages: [[9, 8], [6, 5], [4]],
      reached: 3,
      mark: 3,
      shown: "9 8 6 5 4",
    },
  ];

  for (const { name, floor, pages, reached, mark, shown } of cases) {
    it(name, () => {
      assert.deepEqual(descend(floor, pages), { floor: reached, mark, shown: shown.split(" ") });
    });
  }

  it("is told by no id where the list is not newest first", () => {
    assert.deepEqual(descend({ ids: ids(6) }, [[9, 2], [6]], false).floor, 2);
    assert.deepEqual(descend({ above: id(5) }, [[9, 2], [8]], false).floor, "end");
  });

  it("is not reached before the first page, whatever it asks for", () => {
    for (const floor of [{}, { ids: ids(1) }, { ids: [] }, { above: id(1) }])
      assert.equal(new Descent(floorOf(floor)).reachedFloor, false);
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
          const above = newestFirst.filter((number) => number > mark);
          assert.deepEqual(shown.map(Number).slice(0, above.length), above);
        },
      ),
    );
  });
});
