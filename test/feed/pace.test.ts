import assert from "node:assert/strict";
import fc from "fast-check";
import { nextReadAt, pauseMs, type PaceInput, type ReadRequests } from "../../provider/feed/pace";

const anyPace = fc.record({
  ageMs: fc.oneof(fc.nat(48 * 3_600_000), fc.constant(Number.POSITIVE_INFINITY)),
  lastScanMs: fc.nat(120_000),
  failures: fc.nat(2_000),
  retryAfterMs: fc.nat(10_000),
  chance: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

function pause({ chance = 0, ...pace }: Partial<PaceInput> & { readonly chance?: number }): number {
  return pauseMs({ ageMs: 0, lastScanMs: 0, failures: 0, retryAfterMs: 0, random: () => chance, ...pace });
}

describe("the pace of the feed", () => {
  it("keeps every pause between 2 s and half a minute, but for chance", () => {
    fc.assert(
      fc.property(anyPace, (pace) => {
        const ms = pause(pace);
        assert.ok(ms >= 1_900 && ms <= 30_000, String(ms));
      }),
    );
  });

  it("never asks faster than the panel answers", () => {
    fc.assert(
      fc.property(anyPace, (pace) => {
        assert.ok(pause(pace) >= 0.98 * Math.min(pace.lastScanMs, 30_000));
      }),
    );
  });

  it("reports an end within 10 s on a panel that answers within 2 s, scans before and after included", () => {
    fc.assert(
      fc.property(anyPace, fc.nat(2_000), (pace, scanMs) => {
        const ms = pause({ ...pace, lastScanMs: scanMs, failures: 0, retryAfterMs: 0 });
        assert.ok(scanMs + ms + scanMs <= 10_000, String(ms));
      }),
    );
  });

  it("reads every two seconds at first, and within a minute every ten", () => {
    const pauses = [-5, 0, 2_000, 4_000, 9_500, 60_000, Number.POSITIVE_INFINITY].map((ageMs) => pause({ ageMs }));
    assert.deepEqual(pauses, [2_000, 2_000, 2_000, 4_000, 9_500, 9_950, 9_950]);
  });

  it("is twice as long after each failed scan, up to half a minute, and no shorter than the panel asks for", () => {
    const young = [1, 2, 3, 4, 50].map((failures) => pause({ failures }));
    assert.deepEqual(young, [4_000, 8_000, 16_000, 30_000, 30_000]);
    assert.equal(pause({ ageMs: 3_600_000, failures: 1 }), 19_900);
    assert.equal(pause({ failures: 1, retryAfterMs: 9_000, chance: 0.9 }), 9_000);
  });

  it("leaves something to chance, downwards, so that pipelines do not fall into step", () => {
    for (const failures of [0, 3]) assert.ok(pause({ failures, chance: 0.9 }) < pause({ failures, chance: 0 }));
  });
});

describe("when the list is read next", () => {
  const never = Number.POSITIVE_INFINITY;
  const next = (wanted: Partial<ReadRequests>): number =>
    nextReadAt({ regularAt: never, askedBy: never, lastRead: undefined, isFailing: false, ...wanted });
  const read = (beganAt: number, endedAt = beganAt): ReadRequests["lastRead"] => ({ beganAt, endedAt });

  it("is never, while nobody wants it", () => {
    assert.equal(next({ lastRead: read(1_000) }), never);
  });

  it("is at the regular time when nothing presses", () => {
    assert.equal(next({ regularAt: 9_000 }), 9_000);
  });

  it("is early when somebody asks for it, but not right after the last read, and leaves a slow panel as long as it took", () => {
    const early = { regularAt: 20_000, askedBy: 10_150 };
    assert.equal(next(early), 10_150);
    assert.equal(next({ ...early, lastRead: read(10_090) }), 10_215);
    assert.equal(next({ ...early, lastRead: read(5_990, 9_990) }), 13_990);
    assert.equal(next({ ...early, regularAt: 10_100 }), 10_100);
    assert.equal(next({ ...early, regularAt: never }), 10_150);
  });

  it("is not brought forward while the panel is failing", () => {
    assert.equal(next({ regularAt: 20_000, askedBy: 10_150, isFailing: true }), 20_000);
  });
});
