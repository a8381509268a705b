import assert from "node:assert/strict";
import fc from "fast-check";
import { chainsOf, mergeRows, rowOf, type Row } from "../../provider/rows/chains";
import { row, transaction } from "../restore/support/rows";

const grouped = (rows: readonly Row[]): readonly (readonly string[])[] =>
  chainsOf(rows)
    .map((chain) => chain.map(({ id }) => id as string))
    .sort((a, b) => String(a[0]).localeCompare(String(b[0])));

describe("rows that are one job", () => {
  const table: readonly [name: string, rows: readonly Row[], chains: readonly (readonly string[])[]][] = [
    ["nothing", [], []],
    ["a row alone", [row(1)], [["1"]]],
    ["two strangers", [row(2), row(1)], [["1"], ["2"]]],
    [
      "one chain id, newest first as listed",
      [row(3, { chainId: "900" }), row(1, { chainId: "900" }), row(2)],
      [["1", "3"], ["2"]],
    ],
    [
      "tied by what each waits for",
      [row(3, { dependentTransactionId: "2" }), row(2, { dependentTransactionId: "1" }), row(1)],
      [["1", "2", "3"]],
    ],
    [
      "waiting for a job of another chain",
      [row(2, { chainId: "901", dependentTransactionId: "1" }), row(1, { chainId: "900" })],
      [["1"], ["2"]],
    ],
    ["waiting for a row that is not known", [row(2, { dependentTransactionId: "1" })], [["2"]]],
    ["waiting for itself", [row(2, { dependentTransactionId: "2" })], [["2"]]],
    [
      "waiting for each other",
      [row(2, { dependentTransactionId: "1" }), row(1, { dependentTransactionId: "2" })],
      [["1", "2"]],
    ],
    [
      "a chain that waits for a single job in front of it",
      [
        row(3, { chainId: "900", dependentTransactionId: "2" }),
        row(2, { chainId: "900", dependentTransactionId: "1" }),
        row(1),
      ],
      [["1"], ["2", "3"]],
    ],
    [
      "a single job that waits for a chain",
      [row(3, { dependentTransactionId: "2" }), row(2, { chainId: "900" }), row(1, { chainId: "900" })],
      [["1", "2"], ["3"]],
    ],
    [
      "without chain ids, what names another one counts with it, however much later it was made",
      [
        row(2, { dependentTransactionId: "1", createdAt: "2026-11-21T10:05:00Z" }),
        row(1, { createdAt: "2026-11-21T10:00:00Z" }),
      ],
      [["1", "2"]],
    ],
    [
      "a chain by its id, however far apart its rows were made",
      [
        row(2, { chainId: "c", dependentTransactionId: "1", createdAt: "2026-11-21T10:05:00Z" }),
        row(1, { chainId: "c", createdAt: "2026-11-21T10:00:00Z" }),
      ],
      [["1", "2"]],
    ],
    ["oldest first by number, not by text", [row(10, { chainId: "c" }), row(9, { chainId: "c" })], [["9", "10"]]],
    [
      "lettered ids, oldest first by their stamps",
      [
        row("ta", { chainId: "c", createdAt: "2026-11-21T10:00:02Z" }),
        row("tz", { chainId: "c", createdAt: "2026-11-21T10:00:01Z" }),
      ],
      [["tz", "ta"]],
    ],
    [
      "lettered ids of one second, in the order in which they wait for each other",
      [
        row("tb", { chainId: "c", dependentTransactionId: "tc", createdAt: "2026-11-21T10:00:00Z" }),
        row("tc", { chainId: "c", dependentTransactionId: "ta", createdAt: "2026-11-21T10:00:00Z" }),
        row("ta", { chainId: "c", createdAt: "2026-11-21T10:00:00Z" }),
      ],
      [["ta", "tc", "tb"]],
    ],
  ];
  for (const [name, rows, chains] of table) {
    it(name, () => {
      assert.deepEqual(grouped(rows), chains);
    });
  }

  it("loses no row, puts none in two chains, and does not depend on the order of the list", () => {
    const rows = fc.uniqueArray(
      fc.record({ id: fc.nat(30), chainId: fc.option(fc.constantFrom("a", "b")), waitsFor: fc.option(fc.nat(30)) }),
      { selector: ({ id }) => id, maxLength: 12 },
    );
    fc.assert(
      fc.property(rows, fc.integer(), (drawn, seed) => {
        const made = drawn.map(({ id, chainId, waitsFor }) =>
          row(id, {
            ...(chainId !== null && { chainId }),
            ...(waitsFor !== null && { dependentTransactionId: String(waitsFor) }),
          }),
        );
        const sets = grouped(made);
        assert.deepEqual(sets.flat().sort(), made.map(({ id }) => id as string).sort());
        const shuffled = [...made].sort(
          (a, b) => ((Number(a.id) * 7919 + seed) % 31) - ((Number(b.id) * 7919 + seed) % 31),
        );
        assert.deepEqual(grouped(shuffled), sets);
      }),
    );
  });
});

describe("rows heard of again", () => {
  it("replace what was known of them in place, and new ones stand above", () => {
    const merged = mergeRows([row(2, { status: "pending" }), row(1)], [row(2, { status: "running" }), row(3)]);
    assert.deepEqual(
      merged.map(({ id, status }) => [id, status]),
      [
        ["3", undefined],
        ["2", "running"],
        ["1", undefined],
      ],
    );
  });
  it("leave the very same list when nothing was heard", () => {
    const known = [row(1)];
    assert.equal(mergeRows(known, []), known);
  });
});

it("a kept row has neither the log nor the panel's own copy of the fields", () => {
  assert.deepEqual(rowOf({ ...transaction(1, { status: "failed", logOutput: "secret" }), fields: { a: 1 } }), {
    id: "1",
    status: "failed",
  });
});
