import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Feed } from "../../provider/feed/feed";
import { Search } from "../../provider/feed/search";
import { WatchedClock } from "../../provider/feed/watched-clock";
import type { PageRequest, PanelClient } from "../../provider/panel/types";
import { withIds } from "../rows/listed";

const newest = 200_000;

/** A list of decimal ids, in pages of ten, that lists only some of each hundred ids. */
function searchIn(density: number, missing?: number) {
  const isListed = (id: number): boolean => (id * 37) % 100 < density && id !== missing;
  const ids = Array.from({ length: newest }, (_, at) => newest - at).filter(isListed);
  let reads = 0;
  const search = new Search(10, (page) => {
    reads++;
    return Promise.resolve(withIds(...ids.slice((page - 1) * 10, page * 10).map(String)));
  });
  const find = async (id: number): Promise<boolean> =>
    (await search.around(String(id), String(newest))).some((row) => row.id === String(id));
  return { ids, find, readsOf: () => reads };
}

describe("a row far down the list", () => {
  it("is found by bisection in at most thirty requests, even a hundred thousand rows down and with gaps between ids", async () => {
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

  it("is reported as not found if it is not in the list", async () => {
    const { find, readsOf } = searchIn(100, 100_000);
    assert.equal(await find(100_000), false);
    assert.ok(readsOf() <= 60, `${String(readsOf())} requests`);
  });
});

describe("a read of the list", () => {
  it("starts again with short pages if its last page shows that the list is not ordered by number", async () => {
    const clock = {
      now: () => at,
      wallTime: () => new Date(at),
      after: (_ms: number, run: () => void) => {
        queueMicrotask(run);
        return () => undefined;
      },
    };
    const asked: PageRequest[] = [];
    let at = 0;
    const ids = Array.from({ length: 300 }, (_, nth) => String(300 - nth));
    const listTransactions = (request: PageRequest) => {
      asked.push(request);
      at += 1_100;
      const { page = 1, perPage = 10 } = request;
      // Before the third request, somebody runs an old job again.
      const listed = asked.length < 3 ? ids : ["7", ...ids.filter((id) => id !== "7")];
      const rows = withIds(...listed.slice((page - 1) * perPage, page * perPage));
      return Promise.resolve({ items: rows.map((row) => ({ facts: { ...row, state: "complete" } })) });
    };
    const client = { address: "", listTransactions } as unknown as PanelClient;
    const feed = new Feed({
      ...{ client, clock: new WatchedClock(clock), random: () => 0 },
      ...{ pageSize: 100, requestTimeoutMs: 30_000 },
    });
    const ended = Array.from({ length: 20 }, (_, nth) => String(150 - nth));
    const { order, pages } = await feed.read({ mark: { panel: "", ended, newestId: "150" } }, 0);
    assert.deepEqual([order, pages[0]?.length], ["pages", 20]);
    assert.deepEqual(
      asked.slice(0, 4),
      [20, 1_000, 310, 20].map((perPage) => ({ perPage })),
    );
  });
});
