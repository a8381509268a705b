import assert from "node:assert/strict";
import fc from "fast-check";
import { decideEarlier } from "../../provider/rows/identify";
import type { Row } from "../../provider/rows/chains";
import { chain, minute, ours, plainWords } from "../restore/support/rows";

const now = Date.parse("2026-11-21T12:00:00Z");
const hour = 60 * minute;
const ago = (ms: number): string => new Date(now - ms).toISOString();

function decide(rows: readonly Row[], changes: { stampsNow?: number; intentAgeMs?: number } = {}): string {
  const decision = decideEarlier(
    { candidates: rows.map((each) => chain(each)), untold: [], tooLate: [], others: [] },
    { words: plainWords, adoptWindowMs: 6 * hour, stampsNow: now, intentAgeMs: 24 * hour, ...changes },
  );
  if (decision.found === "nothing") return "nothing";
  return `${decision.found} ${decision.chains
    .flat()
    .map(({ id }) => id)
    .join(",")} ${String(decision.ageMs / minute)}m`;
}

describe("what a later attempt makes of a restore it finds", () => {
  const complete = (id: number, ms: number) => ours(id, { status: "complete", finishedAt: ago(ms) });
  const table: readonly [
    name: string,
    rows: readonly Row[],
    changes: Parameters<typeof decide>[1],
    decision: string,
  ][] = [
    ["nothing is there", [], {}, "nothing"],
    ["it waits to run", [ours(1, { updatedAt: ago(minute) })], {}, "adoptable 1 1m"],
    ["it has run for a day", [ours(1, { status: "running", updatedAt: ago(23 * hour) })], {}, "adoptable 1 1380m"],
    ["it ended a moment ago", [complete(1, minute)], {}, "adoptable 1 1m"],
    ["it ended just within the window", [complete(1, 6 * hour)], {}, "adoptable 1 360m"],
    ["it ended before the window", [complete(1, 6 * hour + minute)], {}, "too-old 1 361m"],
    ["it failed", [ours(1, { status: "failed", finishedAt: ago(minute) })], {}, "nothing"],
    ["somebody cancelled it", [ours(1, { status: "cancelled", finishedAt: ago(minute) })], {}, "nothing"],
    [
      "one failed, one runs",
      [ours(2, { status: "running", updatedAt: ago(0) }), ours(1, { status: "failed" })],
      {},
      "adoptable 2 0m",
    ],
    ["an old one and a fresh one", [complete(2, minute), complete(1, 8 * hour)], {}, "adoptable 2 1m"],
    ["two fresh ones", [complete(2, minute), complete(1, 2 * minute)], {}, "adoptable 2,1 1m"],
    ["only old ones", [complete(2, 7 * hour), complete(1, 8 * hour)], {}, "too-old 2,1 420m"],
    [
      "a word nobody knows is not an end",
      [ours(1, { status: "warn", updatedAt: ago(8 * hour) })],
      {},
      "adoptable 1 480m",
    ],
    [
      "without stamps it is at most as old as its intent",
      [ours(1, { status: "complete" })],
      { intentAgeMs: hour },
      "adoptable 1 60m",
    ],
    [
      "without stamps, and an intent older than the window",
      [ours(1, { status: "complete" })],
      { intentAgeMs: 7 * hour },
      "too-old 1 420m",
    ],
    ["a panel whose clock is ahead makes no age negative", [complete(1, -hour)], {}, "adoptable 1 0m"],
    [
      "a panel whose clock is a day behind does not make a fresh one old",
      [complete(1, 24 * hour)],
      { intentAgeMs: hour },
      "adoptable 1 60m",
    ],
    ["an intent of the future is no age", [ours(1, { status: "complete" })], { intentAgeMs: -hour }, "adoptable 1 0m"],
  ];
  for (const [name, rows, changes, decision] of table) {
    it(name, () => {
      assert.equal(decide(rows, changes), decision);
    });
  }

  it("a chain of which one row failed and the rest never began is known to have gone wrong", () => {
    const parts = (...statuses: string[]) => {
      const [first, ...rest] = statuses.map((status, id) => ours(id, { status, updatedAt: ago(0) }));
      assert.ok(first);
      return chain(first, ...rest);
    };
    const found = (...statuses: string[]) =>
      decideEarlier(
        { candidates: [parts(...statuses)], untold: [], tooLate: [], others: [] },
        { words: plainWords, adoptWindowMs: 6 * hour, stampsNow: now, intentAgeMs: hour },
      ).found;
    assert.equal(found("complete", "failed", "pending"), "nothing");
    assert.equal(found("cancelled", "pending", "pending"), "nothing");
    assert.equal(found("complete", "failed", "running"), "adoptable");
    assert.equal(found("complete", "pending", "failed"), "adoptable");
  });

  it("never passes over a restore that may still be under way, and never takes one that is known to have gone wrong", () => {
    const status = fc.constantFrom("pending", "running", "complete", "failed", "cancelled", "warn");
    fc.assert(
      fc.property(fc.array(fc.tuple(status, fc.nat(30)), { maxLength: 5 }), (drawn) => {
        const rows = drawn.map(([each, hours], id) => ours(id, { status: each, updatedAt: ago(hours * hour) }));
        const decision = decideEarlier(
          { candidates: rows.map((each) => chain(each)), untold: [], tooLate: [], others: [] },
          { words: plainWords, adoptWindowMs: 6 * hour, stampsNow: now, intentAgeMs: 48 * hour },
        );
        const open = rows.filter(({ status: each }) => !["complete", "failed", "cancelled"].includes(each ?? ""));
        const taken = decision.found === "nothing" ? [] : decision.chains.flat();
        if (open.length > 0) assert.equal(decision.found, "adoptable");
        for (const each of open) assert.ok(taken.includes(each));
        assert.ok(taken.every(({ status: each }) => each !== "failed" && each !== "cancelled"));
        if (decision.found === "nothing")
          assert.ok(rows.every(({ status: each }) => each === "failed" || each === "cancelled"));
      }),
    );
  });
});
