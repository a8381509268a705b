import assert from "node:assert/strict";
import { nextRead, type Wanted } from "../../provider/feed/schedule";

function next(wanted: Partial<Wanted>): ReturnType<typeof nextRead> {
  return nextRead({
    regularAt: undefined,
    hurriedAt: undefined,
    headAskedAt: undefined,
    headWishedAt: undefined,
    lastReadAt: undefined,
    lastReadMs: 0,
    lastMarkAt: undefined,
    failing: false,
    ...wanted,
  });
}

describe("when the list is read next", () => {
  it("is never, while nobody wants it", () => {
    assert.equal(next({ lastReadAt: 1_000 }), undefined);
  });

  it("is at the regular time when nothing presses", () => {
    assert.deepEqual(next({ regularAt: 9_000 }), { at: 9_000, reach: "floors" });
  });

  it("is early when somebody asks for it, but not right after the last read", () => {
    const early = next({ regularAt: 20_000, hurriedAt: 10_000 });
    const afterARead = next({ regularAt: 20_000, hurriedAt: 10_000, lastReadAt: 9_990 });
    assert.ok(early !== undefined && early.at > 10_000 && early.at < 11_000);
    assert.ok(afterARead !== undefined && afterARead.at > early.at && afterARead.at < 11_000);
  });

  it("leaves a slow panel as much time as it needed for its last answer", () => {
    assert.equal(next({ regularAt: 20_000, hurriedAt: 10_000, lastReadAt: 9_990, lastReadMs: 4_000 })?.at, 13_990);
  });

  it("is not brought forward while the panel is failing", () => {
    assert.equal(next({ regularAt: 20_000, hurriedAt: 10_000, failing: true })?.at, 20_000);
  });

  it("waits a moment for others that want the newest page too", () => {
    const read = next({ headAskedAt: 10_000 });
    assert.ok(read !== undefined && read.at > 10_000 && read.at <= 10_100);
    assert.equal(read.reach, "head");
  });

  it("keeps a distance from the beginning of a quick read of the newest page to that of the next, and a slow panel's rest", () => {
    const table: readonly [lastReadMs: number, rest: number][] = [
      [0, 125],
      [20, 105],
      [62.5, 62.5],
      [400, 400],
      [3_000, 500],
    ];
    for (const [lastReadMs, rest] of table) {
      assert.equal(
        next({ headWishedAt: 9_000, lastReadAt: 10_000, lastReadMs })?.at,
        10_000 + rest,
        String(lastReadMs),
      );
    }
  });

  it("gives what was asked for before a mark half a second to be listed, however soon the restore asks", () => {
    assert.equal(next({ headWishedAt: 10_020, lastReadAt: 10_010, lastReadMs: 10, lastMarkAt: 10_000 })?.at, 10_500);
    assert.equal(next({ headWishedAt: 10_900, lastReadAt: 10_010, lastReadMs: 10, lastMarkAt: 10_000 })?.at, 10_950);
  });

  it("lets those share one read who want the newest page soon, and keeps no longer distance from a slow walk", () => {
    const wished = next({ headWishedAt: 10_000, lastReadAt: 9_990, lastReadMs: 20_000 });
    assert.ok(wished !== undefined && wished.at > 10_100 && wished.at < 11_000);
    assert.equal(wished.reach, "head");
    assert.deepEqual(next({ headWishedAt: 10_000, hurriedAt: 10_000, regularAt: 20_000 })?.reach, "floors");
    assert.ok((next({ headWishedAt: 10_000, headAskedAt: 10_000 })?.at ?? Infinity) <= 10_100);
    assert.deepEqual(next({ headWishedAt: 10_000, failing: true, regularAt: 30_000 })?.reach, "head");
  });

  it("takes one page for a call when the next walk is far away, and the walk itself when it is about to start", () => {
    assert.equal(next({ headAskedAt: 10_000, regularAt: 18_000 })?.reach, "head");
    assert.equal(next({ headAskedAt: 10_000, regularAt: 10_900 })?.reach, "floors");
  });
});
