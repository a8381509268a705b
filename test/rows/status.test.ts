import assert from "node:assert/strict";
import fc from "fast-check";
import {
  chainStatus,
  finalChainStatus,
  rowsNotStarted,
  unrecognizedStatuses,
  combinedEnd,
} from "../../provider/rows/chains";
import { chain, plainWords, row } from "../restore/support/rows";

const of = (...statuses: (string | undefined)[]) => {
  const [first, ...rest] = statuses.map((status, id) => row(id, status === undefined ? {} : { status }));
  assert.ok(first);
  return chain(first, ...rest);
};

describe("how a chain stands", () => {
  const table: readonly [statuses: readonly (string | undefined)[], expected: string][] = [
    [["pending"], "pending"],
    [["running"], "running"],
    [["complete"], "complete"],
    [["complete", "pending"], "running"],
    [["complete", "running", "pending"], "running"],
    [["pending", "pending"], "pending"],
    [["complete", "complete"], "complete"],
    [["complete", "failed", "cancelled"], "failed"],
    [["complete", "cancelled", "failed"], "cancelled"],
    [["complete", "failed", "pending"], "running"],
    [["failed"], "failed"],
    [["warn"], "pending"],
    [["complete", "warn"], "running"],
    [[undefined], "pending"],
    [["Canceled"], "cancelled"],
  ];
  for (const [statuses, meaning] of table) {
    it(`${statuses.map((status) => status ?? "no status").join(", ")}: ${meaning}`, () => {
      assert.equal(chainStatus(of(...statuses), plainWords), meaning);
    });
  }

  it("an unknown word of a row that has started counts as running", () => {
    assert.equal(
      chainStatus(chain(row(1, { status: "warn", startedAt: "2026-11-21T10:00:00Z" })), plainWords),
      "running",
    );
  });

  const brokenTable: readonly [statuses: readonly string[], broken: string | undefined, notBegun: readonly string[]][] =
    [
      [["complete", "failed", "pending"], "failed", ["2"]],
      [["failed", "pending", "waiting"], "failed", ["1", "2"]],
      [["complete", "cancelled", "pending"], "cancelled", ["2"]],
      [["failed", "cancelled", "pending"], "failed", ["2"]],
      [["failed", "cancelled"], "failed", []],
      [["complete", "failed", "running"], undefined, []],
      [["complete", "pending", "failed"], undefined, ["1"]],
      [["complete", "pending"], undefined, ["1"]],
      [["complete", "complete"], undefined, []],
    ];
  for (const [statuses, broken, poller] of brokenTable) {
    it(`${statuses.join(", ")}: ${broken ?? "nothing is decided"}, if what has not begun never does`, () => {
      const parts = of(...statuses);
      assert.equal(finalChainStatus(parts, plainWords), broken ?? chainStatus(parts, plainWords));
      assert.deepEqual(
        rowsNotStarted(parts, plainWords).map(({ id }) => id),
        poller,
      );
    });
  }

  it("names the words that no setting classifies", () => {
    assert.deepEqual(unrecognizedStatuses(of("complete", "Warn", undefined), plainWords), ["Warn"]);
  });

  it("is complete only when every row is, and never ended while one row is not", () => {
    const status = fc.constantFrom("pending", "running", "complete", "failed", "cancelled", "warn");
    fc.assert(
      fc.property(fc.array(status, { minLength: 1, maxLength: 6 }), (statuses) => {
        const meaning = chainStatus(of(...statuses), plainWords);
        assert.equal(
          meaning === "complete",
          statuses.every((each) => each === "complete"),
        );
        const open = statuses.some((each) => ["pending", "running", "warn"].includes(each));
        assert.equal(meaning === "pending" || meaning === "running", open);
      }),
    );
  });
});

describe("the end of chains that nothing tells apart", () => {
  const table: readonly [name: string, statuses: readonly string[], end?: string | undefined, ifBrokenOff?: string][] =
    [
      ["none", []],
      ["both complete", ["complete", "complete"], "complete", "complete"],
      ["both failed", ["failed", "failed"], "failed", "failed"],
      ["one complete, one failed", ["complete", "failed"], "differs", "differs"],
      ["one cancelled, one failed", ["cancelled", "failed"], "differs", "differs"],
      ["one complete, one still running", ["complete", "running"]],
      ["one failed, one not begun", ["failed", "pending"]],
      ["one failed, one broken off", ["failed", "failed pending"], undefined, "failed"],
      ["one complete, one broken off", ["complete", "failed pending"], undefined, "differs"],
      ["one running, one broken off", ["running", "failed pending"]],
      ["both not begun", ["pending", "pending"]],
    ];
  for (const [name, statuses, end, ifBrokenOff] of table) {
    it(name, () => {
      const chains = statuses.map((status) => of(...status.split(" ")));
      const endBy = (statusOf: typeof chainStatus): unknown =>
        combinedEnd(chains.map((each) => statusOf(each, plainWords)));
      assert.deepEqual([endBy(chainStatus), endBy(finalChainStatus)], [end, ifBrokenOff]);
    });
  }
});
