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
  it("comes back as it was stored", () => {
    fc.assert(fc.property(mark, (stored) => assert.deepEqual(readMark(JSON.parse(JSON.stringify(stored))), stored)));
  });

  it("may lack its time, as null too", () => {
    assert.deepEqual(readMark({ panel: "p", newestId: null, ended: [], takenAt: null }), { panel: "p", ended: [] });
  });

  const parts: readonly (readonly [string, unknown])[] = [
    ["of a panel alone", { panel: "p" }],
    ["without its panel", { ended: ["7"] }],
    ["of a panel without a name", { panel: "", ended: ["7"] }],
    ["of a number alone", { panel: "p", newestId: "7" }],
    ["with an id that is no text", { panel: "p", ended: ["t7", 8] }],
    ["with an id that is empty", { panel: "p", ended: ["t7"], others: [""] }],
    ["that is a text", "7"],
    ["that is not there", undefined],
  ];
  for (const [what, stored] of parts) {
    it(`is none ${what}: nothing may be posted above it`, () => {
      assert.equal(readMark(stored), undefined);
    });
  }
});

describe("the id of an intent", () => {
  it("names the process that made it, and is another for each of them", () => {
    const [first, second] = [intentIdOf("0b3ec8567291", 1), intentIdOf("0b3ec8567291", 12)];
    assert.notEqual(first, second);
    assert.deepEqual([first, second].map(makingProcessOf), ["0b3ec8567291", "0b3ec8567291"]);
    assert.notEqual(makingProcessOf(intentIdOf("0b3ec856729", 11)), "0b3ec8567291");
    for (const id of ["", "-1", "x"]) assert.equal(makingProcessOf(id), undefined, id);
  });
});
