import assert from "node:assert/strict";
import * as fc from "fast-check";
import { readMark, readWholeMark } from "../../provider/inputs/restore-inputs";
import type { Mark, PanelOnly } from "../../provider/inputs/intent";

const text = fc.string({ minLength: 1 });
const number = fc.bigInt(0n, 10n ** 20n).map(String);
const letters = fc.stringMatching(/^t[0-9a-z]{3}$/);
const mark: fc.Arbitrary<Mark> = fc.oneof(
  fc.record(
    { panel: text, newestId: number, newestCreatedAt: text, takenAt: text },
    { requiredKeys: ["panel", "newestId"], noNullPrototype: true },
  ),
  fc.record(
    { panel: text, firstPageIds: fc.array(letters), newestId: letters, newestCreatedAt: text, takenAt: text },
    { requiredKeys: ["panel", "firstPageIds", "newestId"], noNullPrototype: true },
  ),
  fc.record(
    { panel: text, firstPageIds: fc.constant([]), takenAt: text },
    { requiredKeys: ["panel", "firstPageIds"], noNullPrototype: true },
  ),
);

describe("a mark in a state", () => {
  it("comes back as it was stored, from an intent and from a record alike", () => {
    fc.assert(
      fc.property(mark, (stored) => {
        const kept: unknown = JSON.parse(JSON.stringify(stored));
        assert.deepEqual(readMark(kept), stored);
        assert.deepEqual(readWholeMark(kept), stored);
      }),
    );
  });

  it("is that of an empty list also where what it lacks is written out as null, as an edited state may have it", () => {
    const stored = { panel: "p", newestId: null, newestCreatedAt: null, takenAt: null, firstPageIds: [] };
    const emptyList: Mark = { panel: "p", firstPageIds: [] };
    assert.deepEqual(readMark(stored), emptyList);
    assert.deepEqual(readWholeMark(stored), emptyList);
  });

  it("of an earlier release, with the page of a newest row that is a number, is the mark without it", () => {
    const stored = { panel: "p", newestId: "7", takenAt: "t", firstPageIds: ["7", "6"] };
    assert.deepEqual(readMark(stored), { panel: "p", newestId: "7", takenAt: "t" });
    assert.deepEqual(readWholeMark(stored), { panel: "p", newestId: "7", takenAt: "t" });
  });

  const parts: readonly (readonly [string, unknown, Mark | PanelOnly | undefined])[] = [
    [
      "with a row that is no id",
      { panel: "p", newestId: "t7", firstPageIds: ["t7", 8, ""] },
      { panel: "p", newestId: "t7", firstPageIds: ["t7"] },
    ],
    ["with rows, but without its newest one", { panel: "p", firstPageIds: ["7"] }, { panel: "p" }],
    ["with rows of which none is an id", { panel: "p", firstPageIds: [8] }, { panel: "p" }],
    ["whose newest row is no id", { panel: "p", newestId: 7, firstPageIds: [] }, { panel: "p" }],
    [
      "that tells when its newest row was made, and no row",
      { panel: "p", newestCreatedAt: "t", firstPageIds: [] },
      { panel: "p" },
    ],
    ["of a panel alone", { panel: "p" }, { panel: "p" }],
    ["without its panel", { newestId: "7", firstPageIds: ["7"] }, undefined],
    ["that is a text", "7", undefined],
    ["that is not there", undefined, undefined],
  ];
  for (const [what, stored, left] of parts) {
    it(`${what} still says of a record what is left of it, and posts nothing for an intent`, () => {
      assert.deepEqual(readMark(stored), left);
      assert.equal(readWholeMark(stored), undefined);
    });
  }
});
