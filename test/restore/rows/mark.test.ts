import assert from "node:assert/strict";
import fc from "fast-check";
import { floorAbove, floorLongAbove, isAbove, markedAt, markOf } from "../../../provider/restore/rows/mark";
import type { Mark } from "../../../provider/restore/terms/intent";
import { headOf, markAt, panelAddress, row, type RowFields } from "../support/rows";

describe("a mark of the list", () => {
  it("remembers the newest row, its stamp and the first page", () => {
    const head = headOf([row(12, { createdAt: "2026-11-21T10:00:00Z" }), row(11), row(10)]);
    assert.deepEqual(markOf(head, panelAddress), {
      panel: panelAddress,
      newestId: "12",
      newestCreatedAt: "2026-11-21T10:00:00Z",
      takenAt: "1970-01-01T00:00:00.000Z",
      firstPageIds: ["12", "11", "10"],
    });
  });

  it("was taken when the panel says it was, and by the runner's clock where the panel does not say", () => {
    assert.equal(markOf(headOf([], 1_000), panelAddress).takenAt, "1970-01-01T00:00:01.000Z");
    assert.equal(markOf(headOf([], 1_000, 61_000), panelAddress).takenAt, "1970-01-01T00:01:01.000Z");
  });

  it("keeps ten rows of a longer page: any one of them marks the place", () => {
    const rows = Array.from({ length: 100 }, (_, index) => row(500 - index));
    const { firstPageIds } = markOf(headOf(rows), panelAddress);
    assert.deepEqual([firstPageIds.length, firstPageIds[0], firstPageIds[9]], [10, "500", "491"]);
  });

  it("of an empty list says just that", () => {
    const mark = markOf(headOf([]), panelAddress);
    assert.equal(mark.newestId, undefined);
    assert.deepEqual(mark.firstPageIds, []);
  });

  it("takes the highest id of a page that was read while it shifted", () => {
    assert.equal(markOf(headOf([row(11), row(13), row(12)]), panelAddress).newestId, "13");
  });

  it("remembers the youngest stamp of the page, whatever the list is sorted by", () => {
    const at = (hour: number) => ({ createdAt: `2026-11-21T${String(hour)}:00:00Z` });
    const head = headOf([row(11, at(10)), row(13, at(12)), row(12, at(11)), row(14, { createdAt: "not a time" })]);
    assert.equal(markOf(head, panelAddress).newestCreatedAt, "2026-11-21T12:00:00Z");
  });

  it("takes the first row where ids do not compare", () => {
    assert.equal(markOf(headOf([row("tb"), row("tz"), row("ta")]), panelAddress).newestId, "tb");
  });
});

describe("above a mark", () => {
  const lettered = markAt("tb", { firstPageIds: ["tb", "tz"], newestCreatedAt: "2026-11-21T10:00:00Z" });
  const table: readonly [name: string, id: string, fields: RowFields, mark: Mark, above: boolean][] = [
    ["a higher number", "5001", {}, markAt("5000"), true],
    ["the mark itself", "5000", {}, markAt("5000"), false],
    ["a lower number", "4999", {}, markAt("5000"), false],
    ["a number with more digits", "10000", {}, markAt("9999"), true],
    ["neighbours beyond 2^53", "9007199254740993", {}, markAt("9007199254740992"), true],
    ["anything, above an empty list", "1", {}, markAt(), true],
    ["a lettered id that nothing is known of", "tq", {}, lettered, true],
    ["a lettered id of the mark's page", "tz", {}, lettered, false],
    ["a lettered id made before the mark", "tq", { createdAt: "2026-11-21T09:59:59Z" }, lettered, false],
    ["a lettered id made in the mark's own second", "tq", { createdAt: "2026-11-21T10:00:00Z" }, lettered, true],
    [
      "a lettered id made after it, told in another zone",
      "tq",
      { createdAt: "2026-11-21T13:00:01+03:00" },
      lettered,
      true,
    ],
  ];
  for (const [name, id, fields, mark, above] of table) {
    it(`${name}: ${above ? "above" : "not above"}`, () => {
      assert.equal(isAbove(row(id, fields), mark), above);
    });
  }

  it("no row of the page a mark was made of is above it, whatever its ids look like", () => {
    const id = fc.oneof(fc.bigInt(0n, 10n ** 20n).map(String), fc.stringMatching(/^t[0-9a-z]{3}$/));
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 12 }), (ids) => {
        const head = headOf(ids.map((each) => row(each)));
        const mark = markOf(head, panelAddress);
        for (const each of head.rows) assert.equal(isAbove(each, mark), false, each.id);
      }),
    );
  });
});

describe("when a mark was taken, on the panel's stamps", () => {
  const hour = 3_600_000;
  const noon = Date.parse("2026-11-21T12:00:00Z");
  const takenAt = "2026-11-21T12:00:00.000Z";
  const morning = "2026-11-21T09:00:00";
  const table: readonly [name: string, mark: Partial<Mark>, ahead: number | undefined, at: number | undefined][] = [
    ["with zones: when the clock said", { takenAt, newestCreatedAt: `${morning}Z` }, 0, noon],
    ["before any row was seen", { takenAt, newestCreatedAt: `${morning}Z` }, undefined, noon],
    ["no earlier than its newest row", { takenAt, newestCreatedAt: "2026-11-21T12:00:30Z" }, 0, noon + 30_000],
    ["stamps ahead of the clock", { takenAt, newestCreatedAt: `${morning}Z` }, 8 * hour, noon + 8 * hour],
    [
      "stamps behind it, without a zone",
      { takenAt, newestCreatedAt: "2026-11-20T01:00:00" },
      -7 * hour,
      noon - 7 * hour,
    ],
    [
      "without a zone, and nothing learnt yet: its newest row",
      { takenAt, newestCreatedAt: morning },
      undefined,
      Date.parse(morning),
    ],
    ["of an empty list", { takenAt }, undefined, noon],
    [
      "of a release that did not say when: not known, a quiet panel's newest row may be of long before",
      { newestCreatedAt: `${morning}Z` },
      0,
      undefined,
    ],
  ];
  for (const [name, changes, ahead, at] of table) {
    it(name, () => {
      assert.equal(markedAt(markAt("5000", changes), ahead), at);
    });
  }
});

describe("how far down a mark makes the list be read", () => {
  it("down to the newest row of the mark, or to any of its page", () => {
    assert.deepEqual(floorAbove(markAt("5000", { firstPageIds: ["5000", "4999"] })), {
      above: "5000",
      aboveIds: ["5000", "4999"],
    });
  });
  it("to the end of the list, for the mark of an empty one", () => {
    assert.deepEqual(floorAbove(markAt()), { aboveNothing: true });
  });
});

describe("how far down a mark makes the list be read long after it was taken", () => {
  it("past rows that have changed since", () => {
    assert.deepEqual(floorLongAbove(markAt("7", { newestCreatedAt: "2026-11-21T10:00:00Z" })), {
      ...floorAbove(markAt("7")),
      changedSince: Date.parse("2026-11-21T10:00:00Z"),
    });
  });
  it("no further than ever where the panel gives no stamps", () => {
    assert.deepEqual(floorLongAbove(markAt("7")), floorAbove(markAt("7")));
  });
});
