import assert from "node:assert/strict";
import fc from "fast-check";
import type { Format } from "../../provider/panel/types";
import { choosePoint, PointLists } from "../../provider/points/choose-from-panel";
import { MessageError } from "../../provider/plain/message";
import { formats, inProcess, machine } from "../panel/support/clients";
import { type ListedRow, listingOf, panelNow, type PointPanel } from "../panel/support/point-panel";
import { thorough } from "../support/thorough";

/** A row for each number, an hour apart; the largest number is the newest. */
function rowsOf(count: number): readonly ListedRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index + 1),
    at: new Date(panelNow - (count - index) * 3_600_000).toISOString(),
  }));
}

const orders: Readonly<Record<string, (rows: readonly ListedRow[]) => readonly ListedRow[]>> = {
  "newest first": (rows) => [...rows].reverse(),
  "oldest first": (rows) => rows,
  // By a factor that shares none with the number of rows.
  "no order": (rows) => rows.map((_, index) => rows[(index * 7919) % rows.length]!),
};

interface Outcome {
  /** The id that `newest` takes, or why it takes none. */
  readonly found: string;
  readonly requests: number;
}

async function newestOf(listed: readonly ListedRow[], panel: PointPanel, format: Format): Promise<Outcome> {
  const { client, clock, requests } = inProcess(({ path }) => listingOf(listed, panel, path), { format });
  const request = { machine, rule: { pick: "newest" as const }, stateWords: [] };
  try {
    const chosen = await clock.run(choosePoint(request, new PointLists(client), () => 0));
    assert.equal(chosen.choice.listed, listed.length);
    return { found: chosen.recoveryPointId, requests: requests.length };
  } catch (error) {
    if (error instanceof MessageError && "why" in error) return { found: String(error.why), requests: requests.length };
    throw error;
  }
}

/** A panel as its interface describes the other lists. */
const described: PointPanel = {
  pageSize: 10,
  cap: Infinity,
  capsDefault: true,
  path: "paged",
  together: "both",
  query: "ignored",
  pastEnd: "empty",
};

describe("The newest recovery point of all", () => {
  for (const format of formats) {
    it(`is chosen, or none, whatever the panel's ways (${format})`, () =>
      fc.assert(
        fc.asyncProperty(
          anyPanel,
          fc.integer({ min: 1, max: 250 }),
          fc.constantFrom(...Object.keys(orders)),
          async (panel, count, order) => {
            const { found } = await newestOf(orders[order]!(rowsOf(count)), panel, format);
            if (found !== "not whole" || isDescribed(panel)) assert.equal(found, String(count));
          },
        ),
        { numRuns: thorough(300, 5_000) },
      ));
  }

  it("costs few requests", async () => {
    const requestsFor = async (count: number, manners: Partial<PointPanel> = {}): Promise<number> =>
      (await newestOf(orders["oldest first"]!(rowsOf(count)), { ...described, ...manners }, "json")).requests;
    assert.deepEqual(
      [
        await requestsFor(7),
        await requestsFor(10),
        await requestsFor(14),
        await requestsFor(30),
        await requestsFor(1000),
      ],
      [2, 2, 3, 5, 5],
    );
    assert.deepEqual([await requestsFor(7, { path: "whole" }), await requestsFor(1000, { path: "whole" })], [2, 4]);
    assert.deepEqual([await requestsFor(7, { path: "missing" }), await requestsFor(1000, { path: "missing" })], [2, 3]);
    assert.equal(await requestsFor(1000, { cap: 10 }), 102);
  });
});

/** At least ten rows at a time where page numbers do nothing: fewer are taken for all. */
const anyPanel: fc.Arbitrary<PointPanel> = fc
  .record({
    pageSize: fc.integer({ min: 1, max: 60 }),
    cap: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 60 })),
    capsDefault: fc.boolean(),
    path: fc.constantFrom("paged", "numbers", "sizes", "ignored", "missing", "whole"),
    together: fc.constantFrom("both", "number", "size", "neither", "missing"),
    query: fc.constantFrom("paged", "ignored"),
    pastEnd: fc.constantFrom("empty", "last page", "first page", "404"),
    total: fc.constantFrom(undefined, "told", "rows of the page", "one more"),
  } satisfies { [Part in keyof PointPanel]-?: fc.Arbitrary<unknown> })
  .map(({ total, ...panel }): PointPanel => {
    const least = panel.path === "paged" || panel.path === "numbers" ? 1 : 10;
    return {
      ...(panel as PointPanel),
      pageSize: Math.max(least, panel.pageSize),
      cap: Math.max(least, panel.cap),
      ...(total !== undefined && { total }),
    };
  });

/** No panel of these ways is refused. */
function isDescribed({ path, pastEnd, total, together }: PointPanel): boolean {
  const isEndSeen = pastEnd === "empty" || pastEnd === "404" || together === "both";
  const isPaged = (path === "paged" && isEndSeen) || path === "whole" || path === "missing";
  return isPaged && (total === undefined || total === "told");
}
