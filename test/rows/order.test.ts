import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Mark } from "../../provider/inputs/intent";
import {
  inOrder,
  isOlder,
  type ListOrder,
  markOf as markOn,
  orderOf,
  reachesMark,
  type Row,
  rowsAbove,
  type ShownList,
} from "../../provider/rows/order";
import { withIds } from "./listed";

const pageLength = 10;

/** The ids in a list, oldest first, and whether their order is shown by numbers or only by pages. */
const kinds: readonly (readonly [what: string, order: ListOrder, id: (nth: number) => string])[] = [
  ["decimal ids", "numbers", (nth) => String(4_990 + nth)],
  ["lettered ids", "pages", (nth) => `t${((nth * 27_919 + 13) % 46_656).toString(36)}x`],
  ["decimal ids in no order", "pages", (nth) => String(((nth * 27_919 + 13) % 46_656) + 1)],
];

type Shuffle = (rows: readonly Row[]) => readonly Row[];
const rising: Shuffle = (rows) => rows.toReversed();
const asIs: Shuffle = (rows) => rows;

function pagesOf(made: number, id: (nth: number) => string, count: number, shuffle: Shuffle): (readonly Row[])[] {
  const newest = withIds(...Array.from({ length: made }, (_, nth) => id(nth)).reverse());
  return inPages(newest).map(shuffle).slice(0, count);
}

function inPages(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / pageLength) }, (_, page) =>
    rows.slice(page * pageLength, (page + 1) * pageLength),
  );
}

/** The order that the reader assumes: the order found on one page applies to all pages. */
function orderOfAll(pages: readonly (readonly Row[])[]): ListOrder {
  const orders = pages.map((page) => orderOf(page));
  return orders.includes("numbers") && !orders.includes("pages") ? "numbers" : "pages";
}

const ids = (rows: readonly Row[]): readonly string[] => rows.map((row) => row.id);
const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();

const panel = "https://panel.example";

function shownOf(pages: readonly (readonly Row[])[], order: ListOrder, isWhole = false): ShownList {
  return { pages, rows: inOrder(pages, order), order, isWhole };
}

const markOf = (shown: ShownList, time?: number): Mark => markOn(shown, panel, time);

describe("the set of rows above a mark", () => {
  for (const [what, order, id] of kinds) {
    it(`contains exactly the rows created after the mark if the read reaches the mark (${what})`, () => {
      const scene = fc.record({
        before: fc.nat(45),
        since: fc.nat(45),
        pages: fc.integer({ min: 1, max: 10 }),
        shuffle: fc.constantFrom(asIs, rising),
      });
      fc.assert(
        fc.property(scene, ({ before, since, pages: count, shuffle }) => {
          const mark = markOf(shownOf(pagesOf(before, id, 2, shuffle), order));
          const pages = pagesOf(before + since, id, count, shuffle);
          const shown = shownOf(pages, order, pages.flat().length === before + since);
          const above = sorted([...rowsAbove(shown, mark).ids]);
          const made = Array.from({ length: since }, (_, nth) => id(before + nth));
          const [known, read] = [new Set([...mark.ended, ...(mark.others ?? [])]), ids(pages.flat())];
          if (before > 0 && reachesMark(shown, mark)) assert.deepEqual(above, sorted(made));
          else assert.deepEqual(above, sorted(read.filter((one) => !known.has(one))));
          // Every job on the newest page had ended, so the mark is reached once more than half of the page's rows are found.
          const page = Math.min(before, pageLength);
          const isMet = 2 * (read.length - since) > page;
          assert.equal(reachesMark(shown, mark), before === 0 ? shown.isWhole : isMet);
        }),
      );
    });
  }

  it("contains all rows created after the mark, even if jobs move up in the list when they start, end or are run again", () => {
    interface Place {
      readonly place: number;
      readonly runs: boolean;
      readonly changed: number;
    }
    const sorts: readonly ((job: Place) => number)[] = [
      ({ place, runs }) => (runs ? 1_000 : 0) + place,
      ({ changed }) => changed,
    ];
    const job = fc.record({
      ranThen: fc.boolean(),
      runsStill: fc.boolean(),
      changed: fc.integer({ min: 100, max: 199 }),
    });
    const scene = fc.record({
      jobs: fc.array(job, { minLength: 1, maxLength: 60 }),
      since: fc.nat(30),
      again: fc.nat(9),
      sort: fc.constantFrom(...sorts),
      pages: fc.integer({ min: 1, max: 9 }),
      kind: fc.constantFrom(...kinds),
    });
    fc.assert(
      fc.property(scene, ({ jobs, since, again, sort, pages: count, kind: [, , id] }) => {
        const before = jobs.length - Math.min(since, jobs.length - 1);
        const list = (isLater: boolean): ShownList => {
          const rows = jobs.slice(0, isLater ? jobs.length : before).map(({ ranThen, runsStill, changed }, place) => {
            const isNew = place >= before;
            const mayRun = isNew || ranThen || place === before - 1 - again;
            const runs = isLater ? runsStill && mayRun : ranThen;
            const hasChanged = isLater && mayRun;
            const key = sort({ runs, place, changed: hasChanged ? changed : place });
            return { row: { ...withIds(id(place))[0], state: runs ? "running" : "complete" } as Row, key };
          });
          const sortedRows = rows.sort((one, other) => other.key - one.key).map(({ row }) => row);
          const all = inPages(sortedRows);
          const pages = isLater ? all.slice(0, count) : all;
          return shownOf(pages, orderOfAll(pages), pages.length === all.length);
        };
        const [then, now] = [list(false), list(true)];
        const mark = markOf(then);
        // A mark that names only one job cannot be found once that job has been run again.
        fc.pre(mark.ended.length !== 1 || mark.ended[0] !== id(before - 1 - again));
        const isReached = reachesMark(now, mark);
        const { ids: above } = rowsAbove(now, mark);
        if (isReached) for (let nth = before; nth < jobs.length; nth++) assert.ok(above.has(id(nth)), id(nth));
        for (const one of mark.ended) assert.ok(!above.has(one));
        if (now.isWhole) assert.ok(isReached);
      }),
    );
  });
});

describe("a mark", () => {
  const running = (...of: readonly string[]): readonly Row[] =>
    withIds(...of).map((row) => ({ ...row, state: "running" as const }));
  const ended = (...of: readonly string[]): readonly Row[] =>
    withIds(...of).map((row) => ({ ...row, state: "failed" as const }));

  it("contains the ended jobs on the first page that has any, all other jobs up to the end of the next page and, in a list ordered by number, the highest id", () => {
    const numbers = [
      ...running("33"),
      ...ended("31", "32"),
      ...ended(...Array.from({ length: 30 }, (_, at) => String(30 - at))),
    ];
    const { ended: newest, others = [], newestId } = markOf(shownOf([numbers], "numbers"));
    assert.deepEqual([newest[0], newest.length, others[0], others.length, newestId], ["32", 9, "33", 21, "33"]);
    const pages = [running("a", "b"), [...running("c"), ...ended("d")], ended("e", "f"), ended("g", "h")];
    assert.deepEqual(markOf(shownOf(pages, "pages")), {
      panel,
      ended: ["d"],
      others: ["a", "b", "c", "e", "f", "g", "h"],
    });
  });

  it("contains the time at which it was taken if the panel reports the time", () => {
    const takenAt = "2026-11-21T10:00:00.000Z";
    const shown = shownOf([withIds("b", "a")], "pages", true);
    assert.deepEqual(markOf(shown, Date.parse(takenAt)), { panel, ended: ["b", "a"], isWhole: true, takenAt });
  });

  it("treats jobs with unknown statuses, but never running jobs, as ended if no job has a status known to be final", () => {
    const page = [...running("a"), { ...withIds("b")[0], state: "unknown" } as Row];
    assert.deepEqual(markOf(shownOf([page], "pages")), { panel, ended: ["b"], others: ["a"] });
    assert.deepEqual(markOf(shownOf([[...page, ...ended("c")]], "pages")), { panel, ended: ["c"], others: ["a", "b"] });
    assert.deepEqual(markOf(shownOf([running("a")], "pages")), { panel, ended: [], others: ["a"] });
  });

  it("is newer than an empty page or a page with only older rows", () => {
    const mark = markOf(shownOf([withIds("12", "11")], "numbers"));
    const pages = [withIds("11", "10"), [], withIds("13", "12"), withIds("12")];
    const areOlder = pages.map((page) => isOlder(shownOf([page], "numbers"), mark));
    assert.deepEqual(areOlder, [true, true, false, false]);
  });
});

describe("the order of the ids on a page", () => {
  const table: Readonly<Record<ListOrder | "not proven", readonly string[]>> = {
    numbers: ["9 8 7 6 5 4", "4 5 6 7 8 9", "9 7 8 6 5 4", "8 9 7 6 5 4"],
    "not proven": ["9 8 7", "730112 981544", ""],
    pages: ["3 9 1 7 5", "tx-3 tx-2 tx-1", "9 8 x7"],
  };
  for (const [order, pages] of Object.entries(table))
    for (const page of pages)
      it(`is recognized as "${order}" if the page contains ${page === "" ? "no rows" : page}`, () => {
        assert.equal(orderOf(withIds(...page.split(" ").filter((id) => id !== ""))) ?? "not proven", order);
      });
});
