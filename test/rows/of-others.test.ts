import assert from "node:assert/strict";
import { spansOfOthers, withoutOthers, type Span } from "../../provider/rows/of-others";
import type { Row } from "../../provider/rows/chains";
import { chain, markAt, ours } from "../restore/support/rows";

const noon = Date.parse("2026-11-21T12:00:00Z");
const second = 1_000;
const stamp = (seconds: number): string => new Date(noon + seconds * second).toISOString();
const span = (from: number, to: number): Span => ({ from: noon + from * second, to: noon + to * second });

describe("when transactions of other restores of a machine were made", () => {
  const mark = markAt("5000", { takenAt: stamp(0) });
  const table: readonly [name: string, postedAt: number, spans: readonly Span[]][] = [
    ["one that was posted right before the mark: until that was taken", -2, [span(-3, 1)]],
    ["at the mark's own time", 0, [span(-1, 1)]],
    ["one that was posted well before it stands below it", -11, []],
    ["one that was posted later: while the panel handled it", 300, [span(299, 320)]],
  ];
  for (const [name, postedAt, spans] of table) {
    it(name, () => {
      assert.deepEqual(spansOfOthers(mark, [noon + postedAt * second]), spans);
    });
  }

  it("is not known of a mark that does not say when it was taken", () => {
    assert.deepEqual(spansOfOthers(markAt("5000"), [noon]), []);
  });
});

describe("what others of the machine leave", () => {
  const made = (id: number, seconds: number): Row => ours(id, { createdAt: stamp(seconds) });
  const table: readonly [name: string, rows: readonly Row[], spans: readonly Span[], left: string][] = [
    ["all, without others", [made(2, 9), made(1, 0)], [], "2 1"],
    ["all but what was made for one", [made(2, 9), made(1, 0)], [span(-1, 1)], "2"],
    ["all but the oldest that may have been", [made(2, 5), made(1, 0)], [span(-1, 20)], "2"],
    ["all but one each", [made(3, 8), made(2, 5), made(1, 0)], [span(-1, 20), span(4, 25)], "3"],
    ["what was made before or after", [made(2, 20), made(1, -2)], [span(-1, 20)], "2 1"],
    ["what does not say when it was made", [ours(1)], [span(-1, 20)], "1"],
    ["what names no zone", [ours(1, { createdAt: stamp(0).replace("Z", "") })], [span(-86_400, 86_400)], "1"],
  ];
  for (const [name, rows, spans, left] of table) {
    it(`is ${name}`, () => {
      const chains = rows.map((row) => chain(row));
      assert.equal(
        withoutOthers(chains, spans)
          .flat()
          .map(({ id }) => id)
          .join(" "),
        left,
      );
    });
  }

  for (const [name, aheadMs, left] of [
    ["all but one, by stamps that are known to run eight hours ahead", 8 * 3_600 * second, 0],
    ["all, by stamps that are known to be UTC", 0, 1],
  ] as const) {
    it(`is ${name}`, () => {
      const local = stamp(8 * 3_600).replace("Z", "");
      // Read as the runner's own, as all stamps without a zone are.
      const asRead = Date.parse(local) - Date.parse(`${local}Z`);
      const chains = [chain(ours(1, { createdAt: local }))];
      assert.equal(withoutOthers(chains, [span(-1, 1)], aheadMs + asRead).length, left);
    });
  }

  it("is a chain of which a part was made at another time", () => {
    const whole = chain(made(1, 0), made(2, 60));
    assert.deepEqual(withoutOthers([whole], [span(-1, 20)]), [whole]);
  });
});
