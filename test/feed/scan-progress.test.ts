import assert from "node:assert/strict";
import fc from "fast-check";
import { ScanProgress } from "../../provider/feed/scan-progress";
import type { StopRule } from "../../provider/feed/types";
import type { TransactionId } from "../../provider/panel/types";

const id = (text: string | number): TransactionId => String(text) as TransactionId;
const ids = (...texts: (string | number)[]): TransactionId[] => texts.map(id);

interface Seen {
  /** The page after which the stop was reached, and the mark. */
  readonly stop: number | "end" | "never";
  readonly mark: number | "end" | "never";
  readonly shown: string[];
}

/** Scans pages of ids, to the end of the list. Rows are shown until the stop is reached. */
function scan(stopRule: StopRule, pages: (string | number)[][], isNewestFirst = true): Seen {
  const progress = new ScanProgress(stopRule);
  const shown: string[] = [];
  let [reachedStop, reachedMark]: [Seen["stop"], Seen["mark"]] = ["never", "never"];
  const note = (after: number | "end"): void => {
    if (reachedStop === "never" && progress.reachedStop) reachedStop = after;
    if (reachedMark === "never" && progress.reachedMark) reachedMark = after;
  };
  for (const [index, page] of pages.entries()) {
    for (const row of page)
      if (progress.takeRow({ id: id(row), fields: {} }) && reachedStop === "never") shown.push(id(row));
    const last = page.at(-1);
    progress.endPage(isNewestFirst && last !== undefined ? id(last) : undefined);
    note(index + 1);
  }
  progress.endList();
  note("end");
  return { stop: reachedStop, mark: reachedMark, shown };
}

describe("the stop of a scan", () => {
  const cases: readonly {
    readonly name: string;
    readonly stopRule: StopRule;
    readonly pages: (string | number)[][];
    readonly reached: Seen["stop"];
    readonly mark: Seen["mark"];
    readonly shown: string;
  }[] = [
    { name: "one page is enough", stopRule: {}, pages: [[9, 8], [7]], reached: 1, mark: "never", shown: "9 8" },
    { name: "no ids yet", stopRule: { awaitedIds: [] }, pages: [[9, 8], [7]], reached: 1, mark: "never", shown: "9 8" },
    {
      name: "the mark is met",
      stopRule: { mark: { newestId: id(5) } },
      pages: [[9, 8], [6, 5], [4]],
      reached: 2,
      mark: 2,
      shown: "9 8 6 5",
    },
    {
      name: "the mark's row is gone, an older one is met",
      stopRule: { mark: { newestId: id(6) } },
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
      stopRule: { mark: { newestId: id("9007199254740993") } },
      pages: [["9007199254740994"], ["9007199254740993"]],
      reached: 2,
      mark: 2,
      shown: "9007199254740994 9007199254740993",
    },
    {
      name: "ids do not compare: any row of the mark's page ends it, and what lies below is not shown",
      stopRule: { mark: { newestId: "g", firstPageIds: ["g", "f"] } },
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
      stopRule: { mark: { newestId: "g", firstPageIds: ["g"] }, awaitedIds: ids("e") },
      pages: [["k", "g"], ["f", "e"], ["d"]],
      reached: 2,
      mark: 1,
      shown: "k e",
    },
    {
      name: "ids do not compare and none of the mark's rows is left: nothing tells what is above it",
      stopRule: { mark: { newestId: "g", firstPageIds: ["g"] } },
      pages: [["k"], ["j"]],
      reached: "never",
      mark: "never",
      shown: "k j",
    },
    {
      name: "a decimal mark below all there is",
      stopRule: { mark: { newestId: id(1) } },
      pages: [[9], [8]],
      reached: "end",
      mark: "end",
      shown: "9 8",
    },
    {
      name: "the mark was an empty list: all is above it",
      stopRule: { mark: {} },
      pages: [[2], [1]],
      reached: "end",
      mark: "end",
      shown: "2 1",
    },
    {
      name: "all awaited rows seen",
      stopRule: { awaitedIds: ids(8, 6) },
      pages: [[9, 8], [7, 6], [5]],
      reached: 2,
      mark: "never",
      shown: "9 8 7 6",
    },
    {
      name: "an awaited row is gone: an older row ends the search",
      stopRule: { awaitedIds: ids(6) },
      pages: [[9, 8], [7, 5], [4]],
      reached: 2,
      mark: "never",
      shown: "9 8 7 5",
    },
    {
      name: "an awaited row is gone and ids do not compare: the end of the list tells",
      stopRule: { awaitedIds: ids("f") },
      pages: [["h"], ["g"]],
      reached: "end",
      mark: "never",
      shown: "h g",
    },
    {
      name: "the mark and the awaited rows are needed",
      stopRule: { awaitedIds: ids(8, 3), mark: { newestId: id(4) } },
      pages: [[9, 8], [6, 5], [4], [3]],
      reached: 4,
      mark: 3,
      shown: "9 8 6 5 4 3",
    },
  ];

  for (const { name, stopRule, pages, reached, mark, shown } of cases) {
    it(name, () => {
      assert.deepEqual(scan(stopRule, pages), { stop: reached, mark, shown: shown.split(" ") });
    });
  }

  it("is not proven by ids where the list is not newest first", () => {
    assert.deepEqual(scan({ awaitedIds: ids(6) }, [[9, 2], [6]], false).stop, 2);
    assert.deepEqual(scan({ mark: { newestId: id(5) } }, [[9, 2], [8]], false).stop, "end");
  });

  it("is not reached before the first page, whatever it asks for", () => {
    for (const stopRule of [{}, { awaitedIds: ids(1) }, { awaitedIds: [] }, { mark: { newestId: id(1) } }])
      assert.equal(new ScanProgress(stopRule).reachedStop, false);
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
          const { shown } = scan({ mark: { newestId: id(mark) } }, pages);
          const above = newestFirst.filter((number) => number > mark);
          assert.deepEqual(shown.map(Number).slice(0, above.length), above);
        },
      ),
    );
  });
});
