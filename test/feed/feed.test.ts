import assert from "node:assert/strict";
import { Feed, type Read } from "../../provider/feed/feed";
import { WatchedClock } from "../../provider/plain/watched-clock";
import type { Depth } from "../../provider/rows/order";
import { answer, inProcess } from "../panel/support/clients";
import { assertGolden } from "../support/golden";

/** The rows that a panel returns for `/page/n` or `/per_page/n`, or the status with which it refuses. */
type Pages = (ids: readonly string[], page: number, size: number | undefined) => readonly string[] | number;
const cut = (ids: readonly string[], page: number, size: number): readonly string[] =>
  ids.slice((page - 1) * size, page * size);
const usual: Pages = (ids, page, size = 10) => cut(ids, page, size);
const panels: Readonly<Record<string, Pages>> = {
  "returns what is requested": usual,
  "returns at most 30 rows": (ids, page, size = 10) => cut(ids, page, Math.min(size, 30)),
  "returns 25 rows without a size": (ids, page, size = 25) => cut(ids, page, size),
  "returns the last page again": (ids, page, size = 10) => cut(ids, Math.min(page, Math.ceil(ids.length / size)), size),
  "answers 404 past the end": (ids, page, size = 10) =>
    page === 1 || (page - 1) * size < ids.length ? cut(ids, page, size) : 404,
  "refuses sizes": (ids, page, size) => (size === undefined ? cut(ids, page, 10) : 422),
  "fails on more than 50 rows": (ids, page, size = 10) => (size > 50 ? 500 : cut(ids, page, size)),
  "cannot be paged": (ids, _page, size = 10) => cut(ids, 1, size),
};
const lists: Readonly<Record<string, (nth: number) => string>> = {
  "decimal ids": (nth) => String(4_000 + nth),
  "lettered ids": (nth) => `t${((nth * 27_919 + 13) % 46_656).toString(36)}x`,
};

describe("a read of the list", () => {
  for (const [manner, pages] of Object.entries(panels))
    for (const [kind, id] of Object.entries(lists))
      it(`reaches every requested row, with the requests in the golden file, if the panel ${manner} (${kind})`, async () => {
        const [ids, said] = [Array.from({ length: 2_000 }, (_, nth) => id(nth)).reverse(), [] as string[]];
        let failing = 0;
        const panel = inProcess(({ path }) => {
          const [page, size] = [/page\/(\d+)$/, /per_page\/(\d+)$/].map((form) => form.exec(path)?.[1]);
          const shown = pages(
            ids,
            size === undefined ? Number(page ?? 1) : 1,
            size === undefined ? size : Number(size),
          );
          if (typeof shown === "number" || failing-- > 0) return answer(typeof shown === "number" ? shown : 502);
          const rows = shown.map((one) => ({ id: one, status: "complete" }));
          return answer(200, JSON.stringify(rows), { "content-type": "application/json" });
        });
        const access = { client: panel.client, random: () => 0, pageSize: 100, requestTimeoutMs: 30_000 };
        const feed = new Feed({ ...access, clock: new WatchedClock(panel.clock) });
        const read = async (depth: Depth, wanted: readonly string[], surely?: true): Promise<Read> => {
          const [from, at] = [panel.lines.length, panel.clock.now()];
          const found = await panel.clock.run(surely ? feed.readSurely(depth) : feed.read(depth, 0));
          const asked = panel.lines.slice(from).map((line) => line.replace(/.*json\/?/, "") || "top");
          const { rows, mark, isWhole } = found;
          const counts = [rows, mark.ended, mark.others ?? []].map(({ length }) => length).join(" ");
          const took = `${String(panel.clock.now() - at)} ms`;
          said.push(`${asked.join(", ")}: ${counts}, ${isWhole ? "whole" : "part"}, ${took}`);
          const missing = wanted.filter((one) => !rows.some((row) => row.id === one));
          if (manner !== "cannot be paged") assert.deepEqual(missing, []);
          return found;
        };
        const { mark } = await read({}, ids.slice(0, 10));
        for (const count of [3, 60, 400]) {
          ids.unshift(...Array.from({ length: count }, (_, nth) => id(ids.length + nth)).reverse());
          await read({ mark }, ids.slice(0, ids.length - 2_000));
        }
        await read({ rows: 150, ids: [ids[130]!] }, [ids[130]!]);
        await read({ around: [ids[1_700]!] }, ids.slice(1_691, 1_710));
        failing = 7;
        await read({ mark, mostRows: 100 }, ids.slice(0, 10), true);
        ids.length = 4;
        await read({}, ids);
        ids.length = 0;
        await read({}, []);
        assertGolden("reads.txt", `${manner}, ${kind}`, said.join("\n"));
      });
});
