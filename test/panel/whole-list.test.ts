import assert from "node:assert/strict";
import type { AnsweredPage } from "../../provider/panel/answers";
import { NotFoundError, NotWholeError } from "../../provider/panel/errors";
import type { PageRequest } from "../../provider/panel/types";
import { type ReadPageIn, readWholeList } from "../../provider/panel/whole-list";

interface Row {
  readonly id: string;
}

const asked = { address: "https://panel.example", method: "GET", path: "/points.json" };
const numbered = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, index) => String(index + from));

function pageOf(ids: readonly string[], more: Partial<AnsweredPage<Row>> = {}): AnsweredPage<Row> {
  return { items: ids.map((id) => ({ id })), rowCount: ids.length, skipped: 0, sent: asked, ...more };
}

interface Manners {
  readonly paging: "paged" | "whole" | "no path with a page";
  readonly cap: number;
}

/** A list as a panel of these manners gives it, and what it was asked for. The newest answer of `ids` counts. */
function panelOf(
  ids: () => readonly string[],
  { paging, cap }: Manners,
  more: () => Partial<AnsweredPage<Row>> = () => ({}),
) {
  const requests: string[] = [];
  const read: ReadPageIn<Row> = ({ page, perPage }, form) => {
    const parts = [
      ...(page === undefined ? [] : [`page ${String(page)}`]),
      ...(perPage === undefined ? [] : [`of ${String(perPage)}`]),
    ];
    requests.push([...(form === "query" ? ["query"] : []), ...parts].join(" "));
    if (paging === "no path with a page" && form === "path" && parts.length > 0)
      return Promise.reject(new NotFoundError(asked));
    if (paging !== "paged") return Promise.resolve(pageOf(ids(), more()));
    const size = Math.min(perPage ?? 10, cap);
    return Promise.resolve(pageOf(ids().slice(((page ?? 1) - 1) * size, (page ?? 1) * size), more()));
  };
  return { read, requests };
}

const polite: Manners = { paging: "paged", cap: Infinity };
const idsOf = async (read: ReadPageIn<Row>): Promise<readonly string[]> =>
  (await readWholeList(read)).items.map(({ id }) => id);

async function refusalOf(read: ReadPageIn<Row>): Promise<string> {
  const error: unknown = await readWholeList(read).then(
    () => "it was read",
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof NotWholeError, String(error));
  assert.equal(error.kind, "cutShort");
  return error.reason;
}

describe("A list that is read whole", () => {
  it("is none where rows are missing between what was given at once and the next page", async () => {
    const { read } = panelOf(() => numbered(60), polite);
    const gap: ReadPageIn<Row> = (page, form) =>
      page.page === 3
        ? Promise.resolve(pageOf(numbered(10, 41)))
        : read({ ...page, ...(page.perPage && { perPage: 25 }) }, form);
    assert.match(await refusalOf(gap), /changed places/);
  });

  it("is none where the panel always has another page", async () => {
    let next = 1;
    let requests = 0;
    const read = () => {
      requests++;
      return Promise.resolve(pageOf(numbered(10, (next += 10))));
    };
    assert.match(await refusalOf(read), /continues after 10000 rows/);
    assert.ok(requests < 1_100);
  });

  describe("that changes meanwhile", () => {
    /** Newest first, capped at ten; `change` is called before each request. */
    const changing = (change: (ids: string[], request: number) => void, count = 25) => {
      const ids = numbered(count).reverse();
      let request = 0;
      return panelOf(
        () => {
          change(ids, ++request);
          return ids;
        },
        { ...polite, cap: 10 },
      );
    };

    it("is read again where a row came in", async () => {
      const panel = changing((ids, request) => request === 2 && ids.unshift("26"));
      assert.deepEqual(await idsOf(panel.read), numbered(26).reverse());
    });

    it("is none where rows change places in each reading", async () => {
      const panel = changing((ids, request) => ids.unshift(String(100 + request)));
      assert.match(await refusalOf(panel.read), /changed places while it was read/);
      assert.deepEqual(panel.requests, ["page 1", "page 2", "page 1", "page 2"]);
    });
  });

  describe("with a total", () => {
    it("is read again where that changes meanwhile", async () => {
      let count = 12;
      const panel = panelOf(
        () => numbered(count).reverse(),
        { ...polite, paging: "whole" },
        () => ({ total: count }),
      );
      const read: ReadPageIn<Row> = async (page, form) => {
        const answer = await panel.read(page, form);
        count = 13;
        return answer;
      };
      assert.equal((await idsOf(read)).length, 13);
    });
  });

  describe("with rows without ids", () => {
    it("says how many these are, on all pages together", async () => {
      const read = ({ page = 1 }: PageRequest) =>
        Promise.resolve(
          page > 3 ? pageOf([]) : pageOf(numbered(9, page * 10), { rowCount: 10, skipped: 1, total: 30 }),
        );
      const { items, skipped } = await readWholeList(read);
      assert.deepEqual([items.length, skipped], [27, 3]);
    });

    it("is one of no ids at all, or none where a page has none", async () => {
      const nameless = pageOf([], { rowCount: 10, skipped: 10 });
      const whole = await readWholeList<Row>(() => Promise.resolve(nameless));
      assert.deepEqual([whole.items, whole.skipped], [[], 10]);
      for (const last of [2, 3]) {
        const read = ({ page = 1 }: PageRequest) =>
          Promise.resolve(page === last ? nameless : pageOf(numbered(10, page * 10)));
        assert.match(await refusalOf(read), /a page of it has no row with an id/);
      }
    });
  });
});
