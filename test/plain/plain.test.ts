import assert from "node:assert/strict";
import { deepEqual } from "../../provider/plain/plain";

const table: readonly (readonly [one: unknown, other: unknown, areEqual: boolean])[] = [
  [{ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 }, true],
  [{ a: 1, b: null, c: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null, c: undefined }, true],
  [[NaN, 0, "x", null], [NaN, -0, "x", null], true],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: 1 }, { a: 1, b: 0 }, false],
  [{ a: 1, b: 0 }, { a: 1 }, false],
  [[1, 2], [1], false],
  [[1], { 0: 1 }, false],
  [{ 0: 1 }, [1], false],
  [{}, null, false],
  [undefined, {}, false],
  ["1", 1, false],
];

it("comparing plain data ignores the order of keys, and properties without a value", () => {
  for (const [one, other, areEqual] of table)
    assert.equal(deepEqual(one, other), areEqual, JSON.stringify([one, other]));
});
