import assert from "node:assert/strict";
import { answer, inProcess, machine, panelErrorOf } from "./support/clients";

/** The ids of the rows on a page. A row without an id is undefined. */
type Rows = readonly (number | undefined)[];

const numbered = (count: number, from = 1): number[] => Array.from({ length: count }, (_, index) => from + index);

/** The ids that the client reads, or why the list is incomplete, and the number of requests. `next` receives the number of each request, starting at 1. */
async function readOf(
  next: (page: number, request: number, perPage?: number) => Rows,
  totalOf?: (rows: Rows) => number,
) {
  const panel = inProcess(({ path }) => {
    const numberOf = (name: string): number | undefined => {
      const found = new RegExp(`[/?&]${name}[/=](\\d+)`).exec(path)?.[1];
      return found === undefined ? undefined : Number(found);
    };
    const rows = next(numberOf("page") ?? 1, panel.lines.length, numberOf("per_page"));
    const total = totalOf && { "x-total": String(totalOf(rows)) };
    return answer(200, JSON.stringify(rows.map((id) => ({ id, state: "built" }))), total);
  });
  const reading = panel.client.listRecoveryPoints(machine);
  const read = await panel.clock.run(Promise.allSettled([reading]));
  const requests = panel.lines.length;
  if (read[0].status === "fulfilled") {
    const { items, skipped } = read[0].value;
    return { ids: items.map(({ id }) => Number(id)), skipped, requests };
  }
  const { kind, message } = await panelErrorOf(reading);
  assert.equal(kind, "notWhole");
  return { why: message, requests };
}

const pageIn = (rows: Rows, page: number, size = 10): Rows => rows.slice((page - 1) * size, page * size);

describe("A machine's list of recovery points", () => {
  it("is not accepted as complete if the panel always has another page", async () => {
    const { why, requests } = await readOf((_page, request) => numbered(100, request * 100));
    assert.match(why ?? "", /continues beyond 10000 rows/);
    assert.ok(requests < 110);
    const { ids = [] } = await readOf((_page, request) => (request > 100 ? [] : numbered(100, request * 100)));
    assert.equal(ids.length, 10_000);
  });

  const from = (newest: number): Rows => numbered(newest).reverse();
  const moving: Readonly<Record<string, readonly [why: RegExp, ...Parameters<typeof readOf>]>> = {
    "rows are missing between the first response and the next page": [
      /rows moved/,
      (page, _request, size) => (page === 3 ? numbered(10, 41) : pageIn(numbered(60), page, size && 25)),
    ],
    "a row is added during the read": [
      /moved while it was being read/,
      (page, request) => pageIn(from(request === 1 ? 25 : 26), page),
    ],
    "its total changes during the read": [
      /rows moved|announces 13 rows/,
      (_page, request) => from(request === 1 ? 12 : 13),
      ({ length }) => length,
    ],
    "it has more rows than it shows": [/reports 40 rows, but shows 25/, (page) => pageIn(from(25), page), () => 40],
  };
  for (const [what, [why, ...panel]] of Object.entries(moving))
    it(`is not accepted as complete if ${what}`, async () => {
      assert.match((await readOf(...panel)).why ?? "", why);
    });

  it("shows when each point was made, even if the panel counts seconds or milliseconds since 1970", async () => {
    const made = [1_763_719_200, "1763719200000", "2025-11-21T10:00:00Z"];
    const rows = made.map((created_at, index) => ({ id: index + 1, created_at }));
    const panel = inProcess(() => answer(200, JSON.stringify(rows)));
    const { items } = await panel.clock.run(panel.client.listRecoveryPoints(machine));
    for (const { createdAt } of items) assert.equal(createdAt, "2025-11-21T10:00:00Z");
  });

  it("is accepted if no row has an id, but not if ids are missing on only one page", async () => {
    const nameless = numbered(10).map(() => undefined);
    const { ids, skipped } = await readOf(() => nameless);
    assert.deepEqual([ids, skipped], [[], 10]);
    for (const last of [2, 3]) {
      const { why } = await readOf((page) => (page === last ? nameless : numbered(10, page * 10)));
      assert.match(why ?? "", /one of its pages has no row with an id/);
    }
  });
});
