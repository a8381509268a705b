import assert from "node:assert/strict";
import fc from "fast-check";
import { type TransactionId, compareIds } from "../../provider/panel/types";

const id = (text: string): TransactionId => text as TransactionId;

describe("Ids", () => {
  it("compare as integers of any size, with or without leading zeros", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n }), fc.nat(3), (a, b, zeros) => {
        const order = compareIds(id("0".repeat(zeros) + String(a)), id(String(b)));
        assert.equal(Math.sign(order ?? NaN), a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it("have no order when one of them is not a number, but each equals itself", () => {
    for (const odd of ["abc", "", "-1", "1.5", "1e3", " 7", "0x10", "١"]) {
      assert.equal(compareIds(id(odd), id("7")), undefined, odd);
      assert.equal(compareIds(id("7"), id(odd)), undefined, odd);
      assert.equal(compareIds(id(odd), id(odd)), 0);
    }
  });
});
