import assert from "node:assert/strict";
import * as fc from "fast-check";
import { intentIdOf, makingProcessOf, type Mark } from "../../provider/inputs/intent";
import { readMark } from "../../provider/inputs/restore-inputs";

const text = fc.string({ minLength: 1 });
const place = fc.oneof(
  fc.record({ newestId: text }, { noNullPrototype: true }),
  fc.record({ pageIds: fc.array(text) }, { noNullPrototype: true }),
);
const mark: fc.Arbitrary<Mark> = fc
  .tuple(fc.record({ panel: text, takenAt: text }, { requiredKeys: ["panel"], noNullPrototype: true }), place)
  .map(([more, where]) => ({ ...more, ...where }));

describe("a mark in a state", () => {
  it("comes back as it was stored", () => {
    fc.assert(fc.property(mark, (stored) => assert.deepEqual(readMark(JSON.parse(JSON.stringify(stored))), stored)));
  });

  it("may lack its time, as null too", () => {
    assert.deepEqual(readMark({ panel: "p", newestId: null, pageIds: [], takenAt: null }), { panel: "p", pageIds: [] });
  });

  const parts: readonly (readonly [string, unknown])[] = [
    ["of a panel alone", { panel: "p" }],
    ["without its panel", { newestId: "7" }],
    ["of a panel without a name", { panel: "", newestId: "7" }],
    ["whose newest id is no text", { panel: "p", newestId: 7 }],
    ["with an id of the page that is no text", { panel: "p", pageIds: ["t7", 8] }],
    ["with an id of the page that is empty", { panel: "p", pageIds: ["t7", ""] }],
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
