import assert from "node:assert/strict";
import fc from "fast-check";
import type { TransactionId } from "../../provider/panel/types";
import { markOf } from "../../provider/rows/mark";
import { feedOn } from "./support/feed-on";
import { Recorder } from "./support/recorder";

type Step =
  | { readonly do: "foreign"; readonly rows: number }
  | { readonly do: "ours" }
  | { readonly do: "change"; readonly which: number }
  | { readonly do: "hide"; readonly which: number; readonly forMs: number }
  | { readonly do: "delete foreign" }
  | { readonly do: "fail"; readonly times: number }
  | { readonly do: "wait"; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("foreign" as const), rows: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constant("ours" as const) }),
  fc.record({ do: fc.constant("change" as const), which: fc.nat() }),
  fc.record({ do: fc.constant("hide" as const), which: fc.nat(), forMs: fc.integer({ min: 100, max: 12_000 }) }),
  fc.record({ do: fc.constant("delete foreign" as const) }),
  fc.record({ do: fc.constant("fail" as const), times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 10, max: 25_000 }) }),
);

const world = fc.record({
  steps: fc.array(step, { minLength: 5, maxLength: 60 }),
  /** Rows that arrive in the middle of a scan, between two of its pages. */
  shifts: fc.array(fc.nat(4), { minLength: 1, maxLength: 10 }),
  ids: fc.constantFrom("decimal", "big", "alphanumeric"),
  answerMs: fc.constantFrom(0, 30, 700),
  pageSize: fc.integer({ min: 6, max: 20 }),
});

/** Each scan would be longer than the one before it if every page brought new rows without end. */
const mostArrivals = 150;

describe("what a subscriber is told", () => {
  it("is each state in order, and the last one for certain, whatever the pages do", async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ steps, shifts, ids, answerMs, pageSize }) => {
        const { clock, panel, feed } = feedOn({ pageSize });
        let made = 0;
        const spell = (): string => {
          made++;
          if (ids === "decimal") return String(made);
          return ids === "big" ? String(10n ** 19n + BigInt(made)) : `t${(made * 7919).toString(36)}`;
        };
        const foreign = (): TransactionId => panel.add({ action: "take_backup" }, spell());
        panel.answerMs = answerMs;
        for (let row = 0; row < 15; row++) foreign();
        let arrived = 0;
        panel.beforePage = (request) => {
          for (let row = 0; row < (shifts[request % shifts.length] ?? 0) && arrived < mostArrivals; row++) {
            foreign();
            arrived++;
          }
        };

        const versions = new Map<TransactionId, number>();
        const hidden = new Set<TransactionId>();
        const listed = panel.listTransactions.bind(panel);
        panel.listTransactions = async (...args) => {
          const page = await listed(...args);
          return { ...page, items: page.items.filter(({ id }) => !hidden.has(id)) };
        };

        const newestPage = await clock.run(feed.newestPage());
        const newRows = new Recorder({ mark: markOf(newestPage, "this panel") }, (row) => versions.has(row.id));
        newRows.awaitedSinceNow = clock.now();
        const subscriptions = [feed.subscribe(newRows)];
        const followers = new Map<TransactionId, Recorder>();
        const ours = (which: number): TransactionId | undefined => [...versions.keys()][which % versions.size];

        for (const next of steps) {
          switch (next.do) {
            case "foreign":
              for (let row = 0; row < next.rows; row++) foreign();
              break;
            case "ours": {
              const id = panel.add({ status: "v0", action: "restore_backup" }, spell());
              versions.set(id, 0);
              const follower = new Recorder({ awaitedIds: [id] });
              followers.set(id, follower);
              subscriptions.push(feed.subscribe(follower));
              break;
            }
            case "change": {
              const id = ours(next.which);
              if (id === undefined) break;
              versions.set(id, versions.get(id)! + 1);
              panel.change(id, { status: `v${String(versions.get(id)!)}` });
              break;
            }
            case "hide": {
              const id = ours(next.which);
              if (id === undefined) break;
              hidden.add(id);
              clock.after(next.forMs, () => hidden.delete(id));
              break;
            }
            case "delete foreign": {
              const row = panel.rows.find(
                ({ id }, index) => index > 3 && !versions.has(id) && !newestPage.rows.some((old) => old.id === id),
              );
              if (row !== undefined) panel.remove(row.id);
              break;
            }
            case "fail":
              for (let time = 0; time < next.times; time++) panel.failures.push(new Error("reset"));
              break;
            case "wait":
              await clock.advance(next.ms);
          }
        }
        panel.failures.length = 0;
        await clock.advance(240_000);

        for (const [id, version] of versions) {
          for (const statuses of [newRows.statusesOf(id), followers.get(id)!.statusesOf(id)]) {
            const numbers = statuses.map((status) => Number(status.slice(1)));
            assert.deepEqual(
              numbers,
              [...new Set(numbers)].sort((a, b) => a - b),
              "in order",
            );
            assert.equal(numbers.at(-1), version, "the newest state is heard of");
          }
        }
        for (const [id, follower] of followers)
          assert.deepEqual(follower.lastDelivery, [`${id}:v${String(versions.get(id)!)}`]);
        assert.equal(panel.mostInFlight, 1);
        for (const subscription of subscriptions) subscription.close();
        await clock.advance(20_000);
        assert.equal(clock.pending, 0);
      }),
      { numRuns: 60 },
    );
  }).timeout(60_000);
});
