import assert from "node:assert/strict";
import { inspect } from "node:util";
import { type DurationBounds, durationWithin } from "../../provider/inputs/duration";

const parsed = (written: unknown, bounds: DurationBounds = {}) => durationWithin(bounds)(written);

describe("durationWithin", () => {
  const readable: readonly (readonly [unknown, number])[] = [
    ...Object.entries({ "90s": 90, "10m": 600, "1h30m": 5_400, "1h 30m": 5_400, "1d": 86_400, "1d2h3m4s": 93_784 }),
    ...Object.entries({ "0.5s": 0.5, "90": 90, "2.25": 2.25, " 5m ": 300, "0": 0, "0s": 0 }),
    ...[45, 0].map((seconds) => [seconds, seconds] as const),
  ];
  for (const [written, seconds] of readable) {
    it(`reads ${JSON.stringify(written)} as ${String(seconds)} s`, () => {
      assert.deepEqual(parsed(written), { value: seconds });
    });
  }

  const unreadable: unknown[] = ["", " ", ..."soon,10 m,30m1h,1h  30m,1h 30,1.5h,-5s,5ms,1e3,0x10,1h1h".split(",")];
  for (const written of [...unreadable, null, undefined, true, {}, ["10m"], Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`rejects ${inspect(written)} and says what to write`, () => {
      const reading = parsed(written);
      assert.ok("problem" in reading);
      assert.match(reading.problem, /write "90s", "10m", "1h30m" or a number of seconds$/);
    });
  }

  it("names the limit that a duration violates", () => {
    assert.deepEqual(parsed(-1), { problem: " is -1, but must be at least 0s" });
    assert.deepEqual(parsed("1s", { minSeconds: 5 }), { problem: ' is "1s", but must be at least 5s' });
    assert.deepEqual(parsed("2h", { maxSeconds: 3_600 }), { problem: ' is "2h", but must be at most 1h' });
    assert.deepEqual(parsed("25d"), { problem: ' is "25d", but must be at most 24d' });
  });
});
