import assert from "node:assert/strict";
import fc from "fast-check";
import { durationWithin } from "../../provider/inputs/duration";
import { formatElapsed, namesZone, parseStamp, systemClock, zonedTime } from "../../provider/plain/clock";

describe("the system clock", () => {
  const hour = 3_600_000;
  const real = Date.now;
  afterEach(() => {
    Date.now = real;
  });

  for (const [way, byMs] of [
    ["back", -hour],
    ["forward", hour],
  ] as const) {
    it(`runs steadily even if the wall clock is set ${way}`, () => {
      const before = systemClock.now();
      Date.now = () => real() + byMs;
      const passed = systemClock.now() - before;
      assert.ok(passed >= 0 && passed < 10_000, String(passed));
    });
  }
});

describe("a timestamp", () => {
  const noon = Date.parse("2026-11-21T12:00:00Z");
  const table: readonly (readonly [text: string | undefined, at: number | undefined, zone: boolean])[] = [
    ...[
      ...["2026-11-21T12:00:00Z", "2026-11-21T12:00:00.000z", "2026-11-21T15:00:00+03:00", "2026-11-21T07:00:00-0500"],
      // Offsets in whole hours, as PostgreSQL writes them.
      ...["2026-11-21T12:00:00+00", "2026-11-21 15:00:00+03", "2026-11-21T07:00:00.000-05 ", "2026-11-21T12:00+00"],
      ...["2026-11-21 12:00:00 UTC", "Sat, 21 Nov 2026 12:00:00 GMT"],
    ].map((text) => [text, noon, true] as const),
    ["2024-02-29T12:00:00Z", Date.parse("2024-02-29T12:00:00Z"), true],
    ...["2026-02-30T12:00:00Z", "2026-02-29T12:00:00+00:00", " 2026-11-31 12:00:00", "2026-04-31", "yesterday", ""].map(
      (text) => [text, undefined, false] as const,
    ),
    ...["2026/02/30 12:00:00 +0000", undefined].map((text) => [text, undefined, false] as const),
    ...["2026-11-21T12:00:00", "2026-11-21 12:00:00", " 2026-11-21T12:00:00 "].map(
      (text) => [text, noon, false] as const,
    ),
    ["2026-11-21", Date.parse("2026-11-21T00:00:00Z"), false],
  ];
  for (const [text, at, zone] of table) {
    it(`is ${at === undefined ? "not read" : zone ? "read with a zone" : "read without a zone"} from ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseStamp(text), at === undefined ? undefined : { at, namesZone: zone });
      assert.equal(zonedTime(text), zone ? at : undefined);
      if (at !== undefined) assert.equal(namesZone(text ?? ""), zone);
    });
  }

  it("has the same value on every machine even without a zone, so that differences between timestamps are exact", () => {
    const zone = process.env["TZ"];
    const moment = fc.date({ noInvalidDate: true, min: new Date("2000-01-01"), max: new Date("2100-01-01") });
    try {
      fc.assert(
        fc.property(moment, fc.constantFrom("UTC", "Europe/Berlin", "America/New_York"), (date, runners) => {
          process.env["TZ"] = runners;
          const text = date.toISOString();
          assert.equal(parseStamp(text.slice(0, -1))?.at, date.getTime());
          assert.equal(zonedTime(text), date.getTime());
        }),
        { numRuns: 200 },
      );
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });
});

describe("an elapsed time", () => {
  const table: readonly [ms: number, text: string][] = [
    [-5_000, "0s"],
    [499, "0s"],
    [95_000, "1m 35s"],
    [3_599_600, "1h"],
    [3_605_000, "1h 5s"],
    [90_061_000, "1d 1h 1m 1s"],
  ];
  for (const [ms, text] of table)
    it(`of ${String(ms)} ms is written as ${text}`, () => {
      assert.equal(formatElapsed(ms), text);
    });

  it("can be used as a timeout, which is then read as the same duration", () => {
    fc.assert(
      fc.property(fc.nat(20 * 24 * 3600), (seconds) => {
        assert.deepEqual(durationWithin({})(formatElapsed(seconds * 1000)), { value: seconds });
      }),
    );
  });
});
