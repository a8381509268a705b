import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Search } from "../../provider/feed/search";
import { withIds } from "../rows/listed";

const newest = 200_000;

/** Searches a list that has pages of ten rows, and contains `density` of every hundred decimal ids, but not `missing`. A row is added at the `nth` read. */
function searchIn(density: number, missing?: number, nth = Infinity) {
  const isListed = (id: number): boolean => (id * 37) % 100 < density && id !== missing;
  const ids = Array.from({ length: newest }, (_, at) => newest - at).filter(isListed);
  let reads = 0;
  const search = new Search(10, (page) => {
    if (++reads === nth) ids.unshift(newest + 1);
    return Promise.resolve(withIds(...ids.slice((page - 1) * 10, page * 10).map(String)));
  });
  const find = async (id: number): Promise<boolean> =>
    (await search.around(String(id), String(newest))).some((row) => row.id === String(id));
  return { ids, find, readsOf: () => reads };
}

describe("a row far down the list", () => {
  it("is found by bisection within thirty requests, even if it is a hundred thousand rows down and the ids have gaps", async () => {
    for (const density of [100, 60, 7]) {
      const { ids } = searchIn(density);
      await fc.assert(
        fc.asyncProperty(fc.nat(ids.length - 1), async (at) => {
          const { find, readsOf } = searchIn(density);
          assert.equal(await find(ids[at] ?? 0), true);
          assert.ok(readsOf() <= 30, `${String(readsOf())} requests`);
        }),
        { numRuns: 10 },
      );
    }
  });

  it("is found even if a new row moves it to the next page during the search", async () => {
    const { ids, find } = searchIn(100, undefined, 9);
    assert.equal(await find(ids[1_509] ?? 0), true);
  });

  it("is reported as not found if it is not in the list", async () => {
    const { find, readsOf } = searchIn(100, 100_000);
    assert.equal(await find(100_000), false);
    assert.ok(readsOf() <= 60, `${String(readsOf())} requests`);
  });
});
