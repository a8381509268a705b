import assert from "node:assert/strict";
import fc from "fast-check";
import type { TransactionId } from "../../provider/panel/types";
import {
  type AboveMark,
  type MarkedAt,
  floorAbove,
  floorLongAbove,
  isAbove,
  learntAhead,
  markOf,
  markedAt,
  noLowerThan,
  seenAbove,
} from "../../provider/rows/mark";
import type { Mark } from "../../provider/inputs/intent";
import { headOf, markAt, panelAddress, row, type RowFields } from "../restore/support/rows";

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

describe("a mark right before a POST", () => {
  const at = (hour: number) => ({ newestCreatedAt: `2026-11-21T${String(hour)}:00:00Z` });
  const lettered = (ids: readonly string[], stamps: Partial<Mark> = {}) =>
    markAt(ids[0], { firstPageIds: ids, ...stamps });
  const table: readonly [name: string, earlier: Mark, fresh: Mark, which: "earlier" | "fresh"][] = [
    ["of a list that went on", markAt("5000"), markAt("5001"), "fresh"],
    ["of a list where nothing happened", markAt("5000"), markAt("5000"), "fresh"],
    ["of a list that was empty before", markAt(), markAt("5000"), "fresh"],
    ["of a list that is empty still", markAt(), markAt(), "fresh"],
    ["of a list that is empty by now", markAt("5000"), markAt(), "earlier"],
    ["of a lower number", markAt("5000"), markAt("4999"), "earlier"],
    ["of a lower number that is no younger", markAt("5000", at(10)), markAt("4999", at(10)), "earlier"],
    ["of a list that began anew", markAt("5000", at(10)), markAt("3", at(11)), "fresh"],
    ["of letters and a later time", lettered(["tb"], at(10)), lettered(["ta"], at(11)), "fresh"],
    ["of letters and an earlier time", lettered(["tb", "ta"], at(10)), lettered(["ta"], at(9)), "earlier"],
    ["of letters that stood lower before", lettered(["tb", "ta"]), lettered(["ta"]), "earlier"],
    ["of letters that were not there before", lettered(["tb", "ta"]), lettered(["tc", "tb"]), "fresh"],
    ["of the same letters", lettered(["tb", "ta"]), lettered(["tb", "ta"]), "fresh"],
  ];
  for (const [name, earlier, fresh, which] of table) {
    it(`${name}: the ${which} one's place`, () => {
      const taken = "2026-11-21T12:00:00.000Z";
      const place = which === "earlier" ? earlier : fresh;
      assert.deepEqual(noLowerThan(earlier, { ...fresh, takenAt: taken }), { ...place, takenAt: taken });
    });
  }
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
  /** A stamp without a zone, as a panel some hours ahead of the runner's zone writes it. */
  const local = (at: number): string =>
    new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  const exactly = (at: number): MarkedAt => ({ told: "exactly", at });
  const noLaterThan = (at: number): MarkedAt => ({ told: "no later than", at });
  const nothing: AboveMark = { whole: false };
  const all = (oldest: number): AboveMark => ({ oldest: local(oldest), whole: true });
  const top = (oldest: number): AboveMark => ({ oldest: local(oldest), whole: false });
  const rows: readonly [
    name: string,
    mark: Partial<Mark>,
    ahead: number | undefined,
    above: AboveMark,
    at: MarkedAt | undefined,
  ][] = [
    ["with zones: when the clock said", { takenAt, newestCreatedAt: `${morning}Z` }, 0, nothing, exactly(noon)],
    ["before any row was seen", { takenAt, newestCreatedAt: `${morning}Z` }, undefined, nothing, exactly(noon)],
    [
      "no earlier than its newest row",
      { takenAt, newestCreatedAt: "2026-11-21T12:00:30Z" },
      0,
      nothing,
      exactly(noon + 30_000),
    ],
    [
      "stamps ahead of the clock",
      { takenAt, newestCreatedAt: `${morning}Z` },
      8 * hour,
      nothing,
      exactly(noon + 8 * hour),
    ],
    ["of an empty list", { takenAt }, undefined, nothing, exactly(noon)],
    [
      "of a release that did not say when: not known, a quiet panel's newest row may be of long before",
      { newestCreatedAt: `${morning}Z` },
      0,
      nothing,
      undefined,
    ],
    [
      "of such a release, with rows above it: before the oldest of them",
      { newestCreatedAt: `${morning}Z` },
      0,
      { oldest: "2026-11-21T12:01:00Z", whole: true },
      noLaterThan(noon + 60_000),
    ],
    [
      "without a zone, behind the clock, a young row then and now",
      { takenAt, newestCreatedAt: local(noon - 7 * hour - 60_000) },
      -7 * hour,
      nothing,
      { told: "by likeness", at: noon - 7 * hour },
    ],
    [
      "without a zone, a young row then and one soon after",
      { takenAt, newestCreatedAt: local(noon + 8 * hour - 60_000) },
      -12 * hour,
      all(noon + 8 * hour + 60_000),
      exactly(noon + 8 * hour),
    ],
    [
      "without a zone, quiet then and a young row now: not known",
      { takenAt, newestCreatedAt: local(noon - 24 * hour) },
      -7 * hour,
      nothing,
      undefined,
    ],
    [
      "without a zone, quiet then and since: no later than what came next",
      { takenAt, newestCreatedAt: local(noon + 8 * hour - 24 * hour) },
      -12 * hour,
      all(noon + 8 * hour),
      noLaterThan(noon + 8 * hour),
    ],
    [
      "without a zone, as quiet now as it was then",
      { takenAt, newestCreatedAt: local(noon - 18 * hour) },
      -18 * hour,
      all(noon),
      noLaterThan(noon),
    ],
    [
      "without a zone, alike then and now on a list so long that the mark is not on its top",
      { takenAt, newestCreatedAt: local(noon - 60_000) },
      0,
      top(noon + 9 * hour),
      { told: "by likeness", at: noon },
    ],
    ["without a zone, of an empty list", { takenAt }, 1 * hour, all(noon + 8 * hour), noLaterThan(noon + 8 * hour)],
    [
      "without a zone, and nothing learnt yet",
      { takenAt, newestCreatedAt: local(noon) },
      undefined,
      nothing,
      undefined,
    ],
  ];
  for (const [name, changes, ahead, above, at] of rows) {
    it(name, () => {
      assert.deepEqual(markedAt(markAt("5000", changes), ahead, above), at);
    });
  }

  it("is told to the hour, or as no later than what came next, on a panel with one row before and one after", () => {
    const hours = (most: number) => fc.integer({ min: 0, max: most * 4 }).map((quarters) => quarters * (hour / 4));
    const story = fc.record({
      ahead: fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * (hour / 4)),
      quietBefore: hours(40),
      first: hours(40),
      readAfter: hours(40),
    });
    fc.assert(
      fc.property(story, ({ ahead, quietBefore, first, readAfter }) => {
        const stamp = (at: number): string => local(at + ahead);
        const mark = markAt("5000", { takenAt, newestCreatedAt: stamp(noon - quietBefore) });
        const row = { id: "5001" as TransactionId, createdAt: stamp(noon + first) };
        const learnt = learntAhead(undefined, [row], noon + first + readAfter);
        const below = { id: "5000" as TransactionId, createdAt: stamp(noon - quietBefore) };
        const at = markedAt(mark, learnt, seenAbove(undefined, mark, [row, below], [row]));
        assert.ok(at !== undefined);
        const truth = noon + ahead;
        if (at.told !== "no later than") assert.ok(Math.abs(at.at - truth) <= hour, JSON.stringify(at));
        else assert.equal(at.at, truth + first);
      }),
    );
  });
});

describe("what the list has shown above a mark", () => {
  const mark = markAt("5000", { newestCreatedAt: "2026-11-21T12:00:00Z", firstPageIds: ["5000"] });
  const made = (id: string, hour: string) => row(id, { createdAt: `2026-11-21T${hour}:00:00Z` });
  it("is the oldest stamp since, of all looks", () => {
    const first = seenAbove(undefined, mark, [made("5009", "19"), made("5008", "18")], [made("5003", "15")]);
    assert.deepEqual(first, { oldest: "2026-11-21T15:00:00Z", whole: false });
    assert.deepEqual(seenAbove(first, mark, [made("5009", "19")], []), first);
  });
  it("is all there is once a look at the top has come down to the mark", () => {
    const whole = seenAbove(undefined, mark, [made("5009", "19"), made("5000", "12")], []);
    assert.deepEqual(whole, { oldest: "2026-11-21T19:00:00Z", whole: true });
    assert.equal(seenAbove(whole, mark, [made("5010", "20")], []).whole, true);
  });
  it("is nothing that is stamped before the mark, and no row of below it", () => {
    assert.deepEqual(seenAbove(undefined, mark, [made("5001", "11")], [made("4999", "13")]), { whole: false });
  });
  it("is no lettered row of the mark's own second: it may be one of a batch that the mark's page ends in", () => {
    const lettered = markAt("tb", { newestCreatedAt: "2026-11-21T12:00:00Z", firstPageIds: ["tb", "tz"] });
    const seen = seenAbove(undefined, lettered, [made("td", "19"), made("tq", "12")], []);
    assert.deepEqual(seen, { oldest: "2026-11-21T19:00:00Z", whole: false });
  });
  it("of a batch in the night hides no restore of noon, where stamps name no zone", () => {
    const stamp = (hour: string) => `2026-11-21T${hour}`;
    const mark = markAt("tb", {
      takenAt: new Date(Date.parse(stamp("12:00:00"))).toISOString(),
      newestCreatedAt: stamp("03:00:00"),
      firstPageIds: ["tb"],
    });
    const batch = row("tq", { createdAt: stamp("03:00:00") });
    const restore = row("tr", { createdAt: stamp("12:00:05"), updatedAt: stamp("12:30:00") });
    const learnt = learntAhead(undefined, [restore], Date.parse(stamp("19:00:00")));
    assert.deepEqual(markedAt(mark, learnt, seenAbove(undefined, mark, [restore, batch, row("tb")], [restore])), {
      told: "no later than",
      at: Date.parse(stamp("12:00:05")),
    });
  });
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
