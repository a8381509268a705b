import assert from "node:assert/strict";
import fc from "fast-check";
import { showValue } from "../../provider/plain/text";

describe("a value that a message names", () => {
  const shown: [value: unknown, text: string][] = [
    [undefined, "missing"],
    [null, "missing"],
    ["4/2", '"4/2"'],
    ["line\nbreak", '"line\\nbreak"'],
    ["x".repeat(61), `"${"x".repeat(60)}…"`],
    [-1.5, "-1.5"],
    [false, "false"],
    [[1, 2], "a list"],
    [{ toString: 0 }, "an object"],
    [() => 1, "a function"],
  ];
  for (const [value, text] of shown) {
    it(`is ${text}`, () => {
      assert.equal(showValue(value), text);
    });
  }

  it("is short and on one line, whatever it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string({ unit: "binary", maxLength: 300 })), (value) => {
        const text = showValue(value);
        assert.ok(Array.from(text).every((character) => character >= " "));
        assert.ok(text.length <= 60 * 6 + 3);
      }),
    );
  });
});
