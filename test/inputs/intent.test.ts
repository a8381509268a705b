import assert from "node:assert/strict";
import * as fc from "fast-check";
import { intentIdOf, makingProcessOf, type Mark } from "../../provider/inputs/intent";
import { readMark } from "../../provider/inputs/restore-inputs";

const text = fc.string({ minLength: 1 });
const mark: fc.Arbitrary<Mark> = fc.record(
  { panel: text, ended: fc.array(text), others: fc.array(text, { minLength: 1 }), newestId: text, takenAt: text },
  { requiredKeys: ["panel", "ended"], noNullPrototype: true },
);

describe("a mark in a state", () => {
  it("is read back as it was stored", () => {
    fc.assert(fc.property(mark, (stored) => assert.deepEqual(readMark(JSON.parse(JSON.stringify(stored))), stored)));
  });

  it("may have no time, or null as its time", () => {
    assert.deepEqual(readMark({ panel: "p", newestId: null, ended: [], takenAt: null }), { panel: "p", ended: [] });
  });

  const parts: readonly (readonly [string, unknown])[] = [
    ["has only a panel", { panel: "p" }],
    ["has no panel", { ended: ["7"] }],
    ["has an empty panel name", { panel: "", ended: ["7"] }],
    ["has only an id", { panel: "p", newestId: "7" }],
    ["has an id that is not a string", { panel: "p", ended: ["t7", 8] }],
    ["has an empty id", { panel: "p", ended: ["t7"], others: [""] }],
    ["is a string", "7"],
    ["is missing", undefined],
  ];
  for (const [what, stored] of parts) {
    it(`is invalid, so that nothing may be posted, when it ${what}`, () => {
      assert.equal(readMark(stored), undefined);
    });
  }
});

describe("the id of an intent", () => {
  it("names the process that made the intent, and is unique in that process", () => {
    const [first, second] = [intentIdOf("0b3ec8567291", 1), intentIdOf("0b3ec8567291", 12)];
    assert.notEqual(first, second);
    assert.deepEqual([first, second].map(makingProcessOf), ["0b3ec8567291", "0b3ec8567291"]);
    assert.notEqual(makingProcessOf(intentIdOf("0b3ec856729", 11)), "0b3ec8567291");
    for (const id of ["", "-1", "x"]) assert.equal(makingProcessOf(id), undefined, id);
  });
});
