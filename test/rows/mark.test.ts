import assert from "node:assert/strict";
import fc from "fast-check";
import type { Mark } from "../../provider/inputs/intent";
import { laterMark, markOf, rowsAbove, isMarkRow, isMark, whyPageUnusable } from "../../provider/rows/mark";
import { newestPageOf, listed, markAt, panelAddress, row, type RowFields } from "../restore/support/rows";

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);

describe("a mark of the list", () => {
  it("remembers the newest row, its stamp, and when that was by the panel's clock", () => {
    const newestPage = newestPageOf([row(12, { createdAt: "2026-11-21T10:00:00Z" }), row(11)], 1_000, 61_000);
    assert.deepEqual(markOf(newestPage, panelAddress), {
      panel: panelAddress,
      newestId: "12",
      newestCreatedAt: "2026-11-21T10:00:00Z",
      takenAt: "1970-01-01T00:01:01Z",
    });
  });

  it("was taken at no time that is known where the panel does not tell it: the runner's clock is not the panel's", () => {
    assert.equal("takenAt" in markOf(newestPageOf([row(12)], 1_000), panelAddress), false);
  });

  it("of an empty list says just that, and still when", () => {
    assert.deepEqual(markOf(newestPageOf([], 0, 0), panelAddress), {
      panel: panelAddress,
      takenAt: "1970-01-01T00:00:00Z",
      firstPageIds: [],
    });
  });

  it("takes the highest id of a page that was read while it shifted", () => {
    assert.equal(markOf(newestPageOf([row(11), row(13), row(12)]), panelAddress).newestId, "13");
  });

  it("takes the first row where ids do not compare, and of its page ten: any one of them marks the place", () => {
    const ids = Array.from({ length: 30 }, (_, index) => `t${String.fromCharCode(122 - (index % 26))}${String(index)}`);
    const mark = markOf(newestPageOf(ids.map((id) => row(id))), panelAddress);
    assert.deepEqual([mark.newestId, mark.firstPageIds], [ids[0], ids.slice(0, 10)]);
  });

  it("tells a place, that of an empty list too; a panel alone tells none", () => {
    assert.deepEqual([markAt("5000"), markAt(), { panel: panelAddress }].map(isMark), [true, true, false]);
  });
});

describe("the higher one of an intent's mark and of where a failed try ended", () => {
  const lettered = (id: string): Mark => markAt(id);
  const elsewhere = markAt("9000", { panel: "https://elsewhere" });
  const table: readonly [name: string, intents: Mark | undefined, other: Mark, which: "intent's" | "other"][] = [
    ["there was none", undefined, markAt("5000"), "other"],
    ["the list went on", markAt("5000"), markAt("5001"), "other"],
    ["nothing happened but the failure", markAt("5000"), markAt("5000"), "other"],
    ["a number with more digits", markAt("9999"), markAt("10000"), "other"],
    ["a lower number", markAt("5000"), markAt("4999"), "intent's"],
    ["the list was empty for the intent", markAt(), markAt("5000"), "other"],
    ["the list is empty by now", markAt("5000"), markAt(), "intent's"],
    ["another panel's", markAt("5000"), elsewhere, "intent's"],
    ["letters: the later one", lettered("tb"), lettered("ta"), "other"],
  ];
  for (const [name, intents, other, which] of table) {
    it(`${name}: the ${which}`, () => {
      assert.equal(laterMark(intents, other), which === "other" ? other : intents);
    });
  }
});

describe("a page that decides nothing about a POST", () => {
  const at = (hour: number): RowFields => ({ createdAt: `2026-11-21T${String(hour)}:00:00Z` });
  const lettered = markAt("tb", { firstPageIds: ["tb", "tz"] });
  const table: readonly [name: string, rows: readonly ReturnType<typeof row>[], mark: Mark, why: string | undefined][] =
    [
      ["a newer page", [row(5001), row(5000)], markAt("5000"), undefined],
      ["the very page of the mark", [row(5000)], markAt("5000"), undefined],
      ["an empty page, where the list was empty", [], markAt(), undefined],
      ["any page, where the list was empty", [row(1)], markAt(), undefined],
      ["an empty page, where the list was not", [], markAt("5000"), "empty"],
      ["an empty page above letters", [], lettered, "empty"],
      ["a page of before the mark", [row(4999), row(4998)], markAt("5000"), "older"],
      ["a page of before the mark, in letters", [row("tz")], lettered, "older"],
      ["the very page of the mark, in letters", [row("tb"), row("tz")], lettered, undefined],
      ["a newer page, in letters", [row("ta"), row("tb")], lettered, undefined],
      ["a page that turned while it was read", [row(4999), row(5001), row(5000)], markAt("5000"), undefined],
      ["a page sorted by something else", [row(5003), row(5102)], markAt("5000"), "not newest first"],
      ["the same above an empty list", [row("t3", at(10)), row("t2", at(11))], markAt(), "not newest first"],
    ];
  for (const [name, rows, mark, why] of table) {
    it(`${name}: ${why ?? "decides"}`, () => {
      assert.equal(whyPageUnusable(rows.map(listed), mark, false), why);
      assert.equal(
        whyPageUnusable(rows.map(listed), mark, true),
        rows.length === 0 && why === undefined ? "still empty" : why,
      );
    });
  }
});

describe("the rows above a mark", () => {
  const lettered = markAt("tb", { firstPageIds: ["tb", "tz"] });
  const table: readonly [name: string, ids: readonly (string | number)[], mark: Mark, above: readonly string[]][] = [
    ["higher numbers, wherever they stand", [5002, 4999, 5001, 5000], markAt("5000"), ["5002", "5001"]],
    ["a number with more digits", [10000, 9999], markAt("9999"), ["10000"]],
    [
      "neighbours beyond 2^53",
      ["9007199254740993", "9007199254740992"],
      markAt("9007199254740992"),
      ["9007199254740993"],
    ],
    ["all of them, above an empty list", [2, 1], markAt(), ["2", "1"]],
    ["letters before the mark's page", ["ta", "tq", "tb", "tx"], lettered, ["ta", "tq"]],
    ["letters before what is left of that page", ["ta", "tz", "tb"], lettered, ["ta"]],
    ["all letters, where nothing shows that page", ["ta", "tq"], lettered, ["ta", "tq"]],
    ["none, where the mark is the newest", ["tb", "tz"], lettered, []],
  ];
  for (const [name, ids, mark, above] of table) {
    it(name, () => {
      assert.deepEqual(
        idsOf(
          rowsAbove(
            ids.map((id) => row(id)),
            mark,
          ),
        ),
        above,
      );
    });
  }

  const numbers = fc.bigInt(0n, 10n ** 20n).map(String);
  const letters = fc.stringMatching(/^t[0-9a-z]{3}$/);
  const page = fc.oneof(fc.uniqueArray(numbers, { maxLength: 9 }), fc.uniqueArray(letters, { maxLength: 9 }));

  it("are none of the page that the mark was made of, and the page decides", () => {
    fc.assert(
      fc.property(page, (ids) => {
        const rows = ids.map((each) => row(each));
        const mark = markOf(newestPageOf(rows), panelAddress);
        assert.deepEqual(mark.newestId === undefined ? [] : rowsAbove(rows, mark), []);
        assert.ok(!["empty", "older"].includes(whyPageUnusable(rows.map(listed), mark, false) ?? ""));
      }),
    );
  });

  it("are just those that were listed on top of it since", () => {
    fc.assert(
      fc.property(fc.uniqueArray(letters, { minLength: 1, maxLength: 20 }), fc.nat(19), (ids, at) => {
        const since = Math.min(at, ids.length - 1);
        const rows = ids.map((each) => row(each));
        const mark = markOf(newestPageOf(rows.slice(since)), panelAddress);
        assert.deepEqual(idsOf(rowsAbove(rows, mark)), ids.slice(0, since));
      }),
    );
  });

  it("the newest of them is the highest, or the first", () => {
    const newestId = (...rows: Parameters<typeof newestPageOf>[0]): string | undefined =>
      markOf(newestPageOf(rows), panelAddress).newestId;
    assert.equal(newestId(row(9), row(10)), "10");
    assert.equal(newestId(row("ta"), row("tb")), "ta");
    assert.equal(newestId(), undefined);
  });
});

describe("the row of a mark", () => {
  it("shows where it is, and has to be heard of, where ids are letters", () => {
    const lettered = markAt("tb", { firstPageIds: ["tb", "tz"] });
    assert.deepEqual(
      ["ta", "tz"].map((id) => isMarkRow(row(id), lettered)),
      [false, true],
    );
    assert.equal(isMarkRow(row(5000), markAt("5000")), false);
  });
});
