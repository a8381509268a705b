import assert from "node:assert/strict";
import fc from "fast-check";
import { logPages } from "../../provider/feed/log-pages";
import type { TransactionId } from "../../provider/panel/types";

const at = (...positions: number[]): { readonly id: TransactionId; readonly position: number }[] =>
  positions.map((position) => ({ id: String(position) as TransactionId, position }));

describe("the pages that hold the logs of ended restores", () => {
  const cases: readonly (readonly [string, number[], number, string])[] = [
    ["one row on top: one row", [0], 0, "1/1"],
    ["one row that may have moved a little", [0], 2, "1/3"],
    ["one row further down", [7], 0, "8/1"],
    ["rows next to each other share a page", [4, 5, 6], 0, "2/4"],
    ["rows far apart are asked for one by one", [0, 900], 0, "1/1 901/1"],
    ["nothing asked, nothing read", [], 2, ""],
  ];
  for (const [name, positions, drift, expected] of cases) {
    it(name, () => {
      const pages = logPages(at(...positions), drift, 100);
      assert.equal(pages.map(({ page, perPage }) => `${String(page)}/${String(perPage)}`).join(" "), expected);
    });
  }

  const rows = fc.uniqueArray(fc.nat(5_000), { minLength: 1, maxLength: 40 });

  it("never takes more requests than there are rows, nor a longer page than the panel gives", () => {
    fc.assert(
      fc.property(rows, fc.nat(30), fc.integer({ min: 10, max: 200 }), (positions, drift, largest) => {
        const pages = logPages(at(...positions), drift, largest);
        assert.ok(pages.length <= positions.length);
        assert.ok(pages.every(({ perPage }) => perPage <= largest));
        assert.equal(pages.flatMap(({ ids }) => ids).length, positions.length);
      }),
    );
  });

  it("covers each row wherever it has moved to within the drift, when a page can hold that much", () => {
    fc.assert(
      fc.property(rows, fc.nat(8), fc.nat(8), (positions, drift, moved) => {
        for (const { page, perPage, ids } of logPages(at(...positions), drift, 100)) {
          for (const id of ids) {
            const position = Number(id) + Math.min(moved, drift);
            assert.ok(position >= (page - 1) * perPage && position < page * perPage);
          }
        }
      }),
    );
  });
});
