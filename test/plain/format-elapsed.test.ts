import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDuration } from "../../provider/inputs/duration";
import { formatElapsed } from "../../provider/plain/clock";

describe("formatElapsed", () => {
  const table: readonly [ms: number, text: string][] = [
    [0, "0s"],
    [-5000, "0s"],
    [499, "0s"],
    [95_000, "1m 35s"],
    [3_600_000, "1h"],
    [3_599_600, "1h"],
    [3_605_000, "1h 5s"],
    [90_061_000, "1d 1h 1m 1s"],
  ];
  for (const [ms, text] of table) {
    it(`writes ${String(ms)} ms as ${text}`, () => {
      assert.equal(formatElapsed(ms), text);
    });
  }
  it("writes text that is read as the same duration when used as a timeout", () => {
    fc.assert(
      fc.property(fc.nat(20 * 24 * 3600), (seconds) => {
        assert.deepEqual(parseDuration(formatElapsed(seconds * 1000), { minSeconds: 0 }), { seconds });
      }),
    );
  });
});
