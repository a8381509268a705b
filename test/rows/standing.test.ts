import assert from "node:assert/strict";
import fc from "fast-check";
import {
  brokenStanding,
  chainStanding,
  notBegun,
  unheardOf,
  verdictOf,
  type ChainVerdict,
} from "../../provider/rows/chains";
import { chain, plainWords, row } from "../restore/support/rows";

const of = (...statuses: (string | undefined)[]) => {
  const [first, ...rest] = statuses.map((status, id) => row(id, status === undefined ? {} : { status }));
  assert.ok(first);
  return chain(first, ...rest);
};

describe("how a chain stands", () => {
  const table: readonly [statuses: readonly (string | undefined)[], standing: string][] = [
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
  for (const [statuses, standing] of table) {
    it(`${statuses.map((status) => status ?? "no status").join(", ")}: ${standing}`, () => {
      assert.equal(chainStanding(of(...statuses), plainWords), standing);
    });
  }

  it("an unknown word of a row that has started counts as running", () => {
    assert.equal(
      chainStanding(chain(row(1, { status: "warn", startedAt: "2026-11-21T10:00:00Z" })), plainWords),
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
  for (const [statuses, broken, waiting] of brokenTable) {
    it(`${statuses.join(", ")}: ${broken ?? "nothing is decided"}, if what has not begun never does`, () => {
      const parts = of(...statuses);
      assert.equal(brokenStanding(parts, plainWords), broken);
      assert.deepEqual(
        notBegun(parts, plainWords).map(({ id }) => id),
        waiting,
      );
    });
  }

  it("names the words that no setting classifies", () => {
    assert.deepEqual(unheardOf(of("complete", "Warn", undefined), plainWords), ["Warn"]);
  });

  it("is complete only when every row is, and never ended while one row is not", () => {
    const status = fc.constantFrom("pending", "running", "complete", "failed", "cancelled", "warn");
    fc.assert(
      fc.property(fc.array(status, { minLength: 1, maxLength: 6 }), (statuses) => {
        const standing = chainStanding(of(...statuses), plainWords);
        assert.equal(
          standing === "complete",
          statuses.every((each) => each === "complete"),
        );
        const open = statuses.some((each) => ["pending", "running", "warn"].includes(each));
        assert.equal(standing === "pending" || standing === "running", open);
      }),
    );
  });
});

describe("the verdict on chains that nothing tells apart", () => {
  const table: readonly [name: string, statuses: readonly string[], verdict: ChainVerdict][] = [
    ["none", [], { ended: false, standing: "pending" }],
    ["both complete", ["complete", "complete"], { ended: true, standing: "complete" }],
    ["both failed", ["failed", "failed"], { ended: true, standing: "failed" }],
    ["one complete, one failed", ["complete", "failed"], { ended: true, standing: "differs" }],
    ["one cancelled, one failed", ["cancelled", "failed"], { ended: true, standing: "differs" }],
    ["one complete, one still running", ["complete", "running"], { ended: false, standing: "running" }],
    ["one failed, one not begun", ["failed", "pending"], { ended: false, standing: "running" }],
    [
      "one failed, one broken off",
      ["failed", "failed pending"],
      { ended: false, standing: "running", broken: { standing: "failed" } },
    ],
    [
      "one complete, one broken off",
      ["complete", "failed pending"],
      { ended: false, standing: "running", broken: { standing: "differs" } },
    ],
    ["one running, one broken off", ["running", "failed pending"], { ended: false, standing: "running" }],
    ["both not begun", ["pending", "pending"], { ended: false, standing: "pending" }],
  ];
  for (const [name, statuses, verdict] of table) {
    it(name, () => {
      assert.deepEqual(
        verdictOf(
          statuses.map((status) => of(...status.split(" "))),
          plainWords,
        ),
        verdict,
      );
    });
  }
});
