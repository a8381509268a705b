import assert from "node:assert/strict";
import fc from "fast-check";
import { beganSoonAfter, pauseAfterEndsMs, pauseMs, type Pace, type Urgency } from "../../provider/feed/pace";

const urgencies: readonly Urgency[] = ["listing", "young", "steady"];

const anyPace = fc.record({
  urgency: fc.constantFrom(...urgencies),
  ageMs: fc.nat(48 * 3_600_000),
  lastWalkMs: fc.nat(120_000),
  failures: fc.nat(2_000),
  chance: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

function pause(pace: Partial<Pace> & { readonly chance?: number }): number {
  const { chance = 0.5, ...rest } = pace;
  return pauseMs({ urgency: "steady", ageMs: 0, lastWalkMs: 0, failures: 0, random: () => chance, ...rest });
}

describe("the pace of the feed", () => {
  it("keeps every pause between 2 s and half a minute", () => {
    fc.assert(
      fc.property(anyPace, (pace) => {
        const ms = pause(pace);
        assert.ok(ms >= 2_000 && ms <= 30_000, String(ms));
      }),
    );
  });

  it("never asks faster than the panel answers", () => {
    fc.assert(
      fc.property(anyPace, (pace) => {
        assert.ok(pause(pace) >= Math.min(pace.lastWalkMs, 30_000));
      }),
    );
  });

  it("tells of an end within 10 s on a panel that answers within 2 s, walks before and after included", () => {
    fc.assert(
      fc.property(anyPace, fc.nat(2_000), (pace, walkMs) => {
        const ms = pause({ ...pace, lastWalkMs: walkMs, failures: 0 });
        assert.ok(walkMs + ms + walkMs <= 10_000, String(ms));
      }),
    );
  });

  it("looks at a steady wait no more often than the bound on its lag asks for", () => {
    fc.assert(
      fc.property(anyPace, ({ chance }) => {
        assert.ok(pause({ urgency: "steady", chance }) >= 9_700);
      }),
    );
  });

  it("looks faster while a restore is young, and less and less often as it ages", () => {
    const pauses = [0, 1_000, 2_000, 4_000, 59_999, 60_000].map((ageMs) =>
      Math.round(pause({ urgency: "young", ageMs })),
    );
    assert.deepEqual(pauses, [2_000, 2_000, 3_800, 7_425, 7_425, 9_851]);
  });

  it("looks faster still while a row is about to be listed, for as long as it takes", () => {
    const pauses = [0, 6_000, 20_000, 120_000].map((ageMs) => Math.round(pause({ urgency: "listing", ageMs })));
    assert.deepEqual(pauses, [2_000, 2_850, 5_000, 5_000]);
  });

  it("is no slower for the urgent than for the steady", () => {
    fc.assert(
      fc.property(anyPace, ({ ageMs, lastWalkMs, chance }) => {
        const [listing, young, steady] = urgencies.map((urgency) => pause({ urgency, ageMs, lastWalkMs, chance }));
        assert.ok(listing! <= young! + 0.001 || ageMs < 20_000);
        assert.ok(listing! <= steady! && young! <= steady!);
      }),
    );
  });

  it("backs off while the panel is failing, and no further than half a minute", () => {
    const pauses = [1, 2, 3, 4, 50].map((failures) => pause({ urgency: "young", failures, chance: 0 }));
    assert.deepEqual(pauses, [5_000, 10_000, 20_000, 30_000, 30_000]);
  });

  it("leaves something to chance in every mood, so that pipelines do not fall into step", () => {
    for (const urgency of urgencies) {
      for (const failures of [0, 3]) {
        const spread = [0, 0.999].map((chance) => pause({ urgency, ageMs: 6_000, failures, chance }));
        assert.notEqual(spread[0], spread[1], `${urgency}, ${String(failures)} failures`);
      }
    }
  });

  it("is quick after a good part of what is waited for has ended at once, and only then", () => {
    const spread = { isFollowed: false, lastWalkMs: 0 };
    const pauses = [
      [10, 90],
      [8, 92],
      [3, 30],
      [2, 3],
      [3, 1],
      [100, 0],
    ].map(([ended, left]) => pauseAfterEndsMs({ ...spread, ended: ended!, left: left! }));
    assert.deepEqual(pauses, [2_000, undefined, 2_000, undefined, 2_000, undefined]);
    assert.equal(pauseAfterEndsMs({ ...spread, ended: 50, left: 50, lastWalkMs: 7_000 }), 7_000);
    assert.equal(pauseAfterEndsMs({ ...spread, ended: 50, left: 50, lastWalkMs: 90_000 }), 30_000);
  });

  it("is quick after a single end that others are due right after, as long as ends keep coming", () => {
    const followed = { isFollowed: true, lastWalkMs: 0 };
    assert.equal(pauseAfterEndsMs({ ...followed, ended: 1, left: 99 }), 2_000);
    assert.equal(pauseAfterEndsMs({ ...followed, ended: 0, left: 99 }), undefined);
    assert.equal(pauseAfterEndsMs({ ...followed, ended: 1, left: 0 }), undefined);
  });

  it("takes for due what began a little after what has ended, not in the same moment nor much later", () => {
    const after = [-300, 0, 20, 300, 5_000, 10_000, 10_001];
    assert.deepEqual(
      after.map((ms) => beganSoonAfter(60_000 + ms, 60_000)),
      [false, false, false, true, true, true, false],
    );
  });
});
