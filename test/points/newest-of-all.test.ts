import assert from "node:assert/strict";
import fc from "fast-check";
import type { Format } from "../../provider/panel/types";
import { choosePoint, PointLists } from "../../provider/points/choose-point";
import { MessageError } from "../../provider/plain/message";
import type { Dialect } from "../../sandbox";
import { formats, machine } from "../panel/support/clients";
import { sandboxClient } from "../support/sandbox-client";
import { thorough } from "../support/thorough";

/** Lists `count` points, an hour apart; the newest has the largest id. `found` is the id that `newest` chooses, or why no id is chosen. */
async function newestOf(count: number, dialect: Partial<Dialect>, format: Format = "json") {
  const recoveryPoints = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    ageSeconds: (count - index) * 3_600,
  }));
  const panel = sandboxClient(format, { dialect, scenario: { machines: [{ id: 42, recoveryPoints }] } });
  const inputs = { virtualMachineId: machine, recoveryPoint: "newest" };
  const outcome = (found: string) => ({ found, requests: panel.paths().length });
  try {
    const access = { points: new PointLists(panel.newClient()), pointStates: [] };
    const chosen = await panel.clock.run(choosePoint(inputs, access));
    assert.ok(chosen && "recoveryPointId" in chosen);
    assert.equal(chosen.choice.listed, count);
    return outcome(chosen.recoveryPointId);
  } catch (error) {
    if (error instanceof MessageError && error.message.includes("the list may be incomplete"))
      return outcome("not whole");
    throw error;
  }
}

describe("The newest recovery point of all", () => {
  for (const format of formats) {
    it(`is chosen on every kind of panel, unless the list may be incomplete (${format})`, () =>
      fc.assert(
        fc.asyncProperty(anyWays, fc.integer({ min: 1, max: 150 }), async (ways, count) => {
          const { found } = await newestOf(count, ways, format);
          if (found !== "not whole" || isDescribed(ways)) assert.equal(found, String(count));
        }),
        { numRuns: thorough(format === "json" ? 100 : 30, 1_500) },
      )).timeout(10 * 60_000);
  }

  const costs: readonly (readonly [ways: Partial<Dialect>, requests: Readonly<Record<number, number>>])[] = [
    [{}, { 7: 2, 10: 2, 14: 2, 30: 3, 1_000: 3 }],
    [{ pointPaging: "whole" }, { 7: 2, 1_000: 3 }],
    [{ pointPaging: "notFound" }, { 7: 3, 1_000: 5 }],
    [{ pointCap: 10 }, { 200: 21 }],
  ];
  for (const [ways, requests] of costs)
    it(`is found with few requests on a panel with this paging: ${JSON.stringify(ways)}`, async () => {
      for (const [count, most] of Object.entries(requests))
        assert.equal(
          (await newestOf(Number(count), { pointOrder: "oldest", queryPaging: "ignored", ...ways })).requests,
          most,
          count,
        );
    });
});

type Ways = Pick<Dialect, "pointPaging" | "combinedPaging" | "pastEnd" | "pointTotal"> & Partial<Dialect>;

/** If page numbers have no effect, pages have at least ten rows, because a shorter page would be mistaken for the whole list. */
const anyWays: fc.Arbitrary<Ways> = fc
  .record({
    pointPageSize: fc.integer({ min: 1, max: 60 }),
    pointCap: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 60 })),
    pointOrder: fc.constantFrom("newest", "oldest", "shuffled"),
    pointPaging: fc.constantFrom("paged", "whole", "notFound", "query", "sizes"),
    combinedPaging: fc.constantFrom("both", "ignorePage", "ignorePerPage", "ignoreBoth", "notFound"),
    queryPaging: fc.constantFrom("both", "ignored"),
    pastEnd: fc.constantFrom("empty", "repeatLast", "notFound"),
    pointTotal: fc.constantFrom("asHeaders", "sent", "oneMore"),
  })
  .map(({ pointPaging, queryPaging, pointPageSize, pointCap, ...ways }): Ways => {
    const least = pointPaging === "paged" ? 1 : 10;
    return {
      ...ways,
      pointPaging,
      queryPaging: pointPaging === "query" ? "both" : queryPaging,
      pointPageSize: Math.max(least, pointPageSize),
      pointCap: pointCap === null ? null : Math.max(least, pointCap),
    };
  });

/** Whether a panel pages in a documented way. On such a panel, a point is always chosen. */
function isDescribed({ pointPaging, pastEnd, pointTotal, combinedPaging }: Ways): boolean {
  const isEndSeen = pastEnd !== "repeatLast" || combinedPaging === "both";
  const isPaged = pointPaging === "paged" ? isEndSeen : pointPaging !== "sizes";
  return isPaged && pointTotal !== "oneMore";
}
