import assert from "node:assert/strict";
import fc from "fast-check";
import { logPages } from "../../provider/feed/log-reader";
import type { TransactionId } from "../../provider/panel/types";

const at = (...positions: number[]): { readonly id: TransactionId; readonly position: number }[] =>
  positions.map((position) => ({ id: String(position) as TransactionId, position }));

describe("the pages that hold the logs of ended restores", () => {
  const cases: readonly (readonly [string, number[], number, string])[] = [
    ["one row on top: one row", [0], 0, "1/1"],
    ["one row that may have moved a little", [0], 2, "1/3"],
    ["rows near the top share a page", [4, 5, 17], 2, "1/20"],
    ["a row further down: the numbered page it is on", [34], 2, "4/10"],
    ["rows on one numbered page share it", [34, 31, 36], 2, "4/10"],
    ["a row that may be on either of two pages: all down to it, where that is little", [38], 3, "1/42"],
    ["and the likelier page, where that would be much", [138], 3, "14/10"],
    ["rows far apart are asked for one by one", [0, 900], 0, "1/1 91/10"],
    ["nothing asked, nothing read", [], 2, ""],
  ];
  for (const [name, positions, drift, expected] of cases) {
    it(name, () => {
      const pages = logPages(at(...positions), drift);
      assert.equal(pages.map(({ page, perPage }) => `${String(page)}/${String(perPage)}`).join(" "), expected);
    });
  }

  it("are no larger than the page size asked for, but for the panel's own ten", () => {
    assert.deepEqual(
      logPages(at(3, 5), 2, 7).map(({ perPage }) => perPage),
      [6, 10],
    );
  });

  const rows = fc.uniqueArray(fc.nat(5_000), { minLength: 1, maxLength: 40 });

  it("are never more than there are rows, and ask for a size of their own only on top", () => {
    fc.assert(
      fc.property(rows, fc.nat(30), (positions, drift) => {
        const pages = logPages(at(...positions), drift);
        assert.ok(pages.length <= positions.length);
        assert.ok(pages.every(({ page, perPage }) => perPage === 10 || (page === 1 && perPage <= 50)));
        assert.deepEqual(pages.flatMap(({ ids }) => ids.map(Number)).sort(), [...positions].sort());
      }),
    );
  });

  it("hold each row wherever it has moved to, unless it is deep down and moves to the next page", () => {
    fc.assert(
      fc.property(rows, fc.nat(8), fc.nat(8), (positions, drift, most) => {
        const moved = Math.min(most, drift);
        for (const { page, perPage, ids } of logPages(at(...positions), drift)) {
          for (const position of ids.map(Number)) {
            const staysOnItsPage = Math.floor(position / 10) === Math.floor((position + drift) / 10);
            if (!staysOnItsPage && position > 40) continue;
            assert.ok(position + moved >= (page - 1) * perPage && position + moved < page * perPage);
          }
        }
      }),
    );
  });
});
