import assert from "node:assert/strict";
import fc from "fast-check";
import { type TransactionId, compareIds, isValidId, panelSpelling } from "../../provider/panel/types";

const id = (text: string): TransactionId => text as TransactionId;

describe("Ids", () => {
  it("compare as integers of any size, leading zeros or not", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n }), fc.nat(3), (a, b, zeros) => {
        const order = compareIds(id("0".repeat(zeros) + String(a)), id(String(b)));
        assert.equal(Math.sign(order ?? NaN), a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it("have no order when one of them is no number, but are the same as themselves", () => {
    for (const odd of ["abc", "", "-1", "1.5", "1e3", " 7", "0x10", "١"]) {
      assert.equal(compareIds(id(odd), id("7")), undefined, odd);
      assert.equal(compareIds(id("7"), id(odd)), undefined, odd);
      assert.equal(compareIds(id(odd), id(odd)), 0);
    }
  });

  it("are written by the panel without zeros in front, when they are decimal", () => {
    const table: readonly [string, string | undefined][] = [
      ["42", undefined],
      ["042", "42"],
      ["01007", "1007"],
      ["0", undefined],
      ["00", "0"],
      ["0".repeat(127) + "1", "1"],
      ["042a", undefined],
      ["-042", undefined],
      ["0_42", undefined],
    ];
    for (const [text, written] of table) assert.equal(panelSpelling(text), written, text);
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/), (text) => {
        const written = panelSpelling(text);
        assert.ok(isValidId(written ?? text));
        assert.equal(written === undefined ? undefined : panelSpelling(written), undefined);
        if (written !== undefined) assert.equal(BigInt(written), BigInt(text));
      }),
    );
  });
});
