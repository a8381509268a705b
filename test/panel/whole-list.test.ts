import assert from "node:assert/strict";
import fc from "fast-check";
import { CutShortError, NotFoundError, PanelError, ServerError } from "../../provider/panel/errors";
import type { ReadPage } from "../../provider/panel/list-page";
import type { PageRequest } from "../../provider/panel/types";
import { readWholeList } from "../../provider/panel/whole-list";

interface Row {
  readonly id: string;
}

interface Manners {
  readonly paging: "paged" | "whole" | "no path with a page";
  readonly cap: number;
  readonly pastTheEnd: "empty" | "repeats" | "404";
}

const sent = { address: "https://panel.example", method: "GET", path: "/points.json" };

/** A list as a panel of these manners gives it, and what it was asked for. */
function panelOf(ids: readonly string[], { paging, cap, pastTheEnd }: Manners) {
  const requests: PageRequest[] = [];
  const read: ReadPage<Row> = (request) => {
    requests.push(request);
    const names = request.page !== undefined || request.perPage !== undefined;
    if (paging === "no path with a page" && names) return Promise.reject(new NotFoundError(sent));
    const size = Math.min(request.perPage ?? 10, cap);
    const last = Math.max(1, Math.ceil(ids.length / size));
    let page = request.page ?? 1;
    if (page > last && pastTheEnd === "404" && paging === "paged") return Promise.reject(new NotFoundError(sent));
    if (page > last && pastTheEnd === "repeats") page = last;
    const shown = paging === "paged" ? ids.slice((page - 1) * size, page * size) : ids;
    return Promise.resolve({ items: shown.map((id) => ({ id })), rowCount: shown.length, skipped: 0, sent });
  };
  return { read, requests };
}

async function idsOf(ids: readonly string[], manners: Manners): Promise<readonly string[]> {
  return (await readWholeList(panelOf(ids, manners).read)).items.map(({ id }) => id);
}

const polite: Manners = { paging: "paged", cap: Infinity, pastTheEnd: "empty" };
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1));

describe("A list that is read whole", () => {
  it("is every row once, in any order, however the panel pages it", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }).map(String), { maxLength: 130 }),
        fc.constantFrom<Manners["paging"]>("paged", "whole", "no path with a page"),
        fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 120 })),
        fc.constantFrom<Manners["pastTheEnd"]>("empty", "repeats", "404"),
        async (ids, paging, cap, pastTheEnd) => {
          assert.deepEqual(await idsOf(ids, { paging, cap, pastTheEnd }), ids);
        },
      ),
      { numRuns: 500 },
    ));

  for (const [what, manners, count, requests] of [
    ["an empty one", polite, 0, [{ perPage: 1000 }]],
    ["a paged one of few rows", polite, 3, [{ perPage: 1000 }, { page: 2 }]],
    ["a paged one of ten rows", polite, 10, [{ perPage: 1000 }, { page: 2 }]],
    ["one that comes whole", { ...polite, paging: "whole" }, 12, [{ perPage: 1000 }, { page: 2 }]],
    ["one without pages", { ...polite, paging: "no path with a page" }, 12, [{ perPage: 1000 }, {}]],
    [
      "one without pages, of ten rows",
      { ...polite, paging: "no path with a page" },
      10,
      [{ perPage: 1000 }, {}, { page: 2 }],
    ],
    [
      "one that is capped",
      { ...polite, cap: 25 },
      45,
      [{ perPage: 1000 }, { page: 3 }, { page: 4 }, { page: 5 }, { page: 6 }],
    ],
  ] as const) {
    it(`asks little for ${what}`, async () => {
      const panel = panelOf(numbered(count), manners);
      assert.equal((await readWholeList(panel.read)).items.length, count);
      assert.deepEqual(panel.requests, requests);
    });
  }

  it("is none where the panel gives its first rows for every page", async () => {
    const read: ReadPage<Row> = ({ perPage }) => {
      const items = numbered(perPage === undefined ? 10 : 25).map((id) => ({ id }));
      return Promise.resolve({ items, rowCount: items.length, skipped: 0, sent });
    };
    await assert.rejects(readWholeList(read), CutShortError);
  });

  it("is none where rows are missing between what was given at once and the next page", async () => {
    const read: ReadPage<Row> = ({ page }) => {
      const items = (page === undefined ? numbered(25) : numbered(60).slice(40)).map((id) => ({ id }));
      return Promise.resolve({ items, rowCount: items.length, skipped: 0, sent });
    };
    await assert.rejects(readWholeList(read), CutShortError);
  });

  it("is none where the panel always has another page", async () => {
    let next = 1;
    const read: ReadPage<Row> = () => {
      const items = Array.from({ length: 10 }, () => ({ id: String(next++) }));
      return Promise.resolve({ items, rowCount: items.length, skipped: 0, sent });
    };
    await assert.rejects(readWholeList(read), CutShortError);
    assert.ok(next < 20_000);
  });

  it("fails with what the panel says where there is no list at all, or a page cannot be had", async () => {
    await assert.rejects(
      readWholeList<Row>(() => Promise.reject(new NotFoundError(sent))),
      NotFoundError,
    );
    const second: ReadPage<Row> = ({ page }) =>
      page === undefined
        ? panelOf(numbered(12), polite).read({})
        : Promise.reject(new ServerError({ ...sent, status: 503 }));
    await assert.rejects(readWholeList(second), (error) => error instanceof PanelError && error.kind === "serverError");
  });
});
