import assert from "node:assert/strict";
import * as fc from "fast-check";
import { deepEqual } from "../../provider/plain/plain";
import { containsUnknown } from "../../provider/inputs/read-values";

describe("plain data", () => {
  it("is the same whatever the order of its keys, and with properties that have no value", () => {
    assert.ok(
      deepEqual(
        { a: 1, b: { c: [1, { d: 2, e: 3 }] } },
        { b: { c: [1, { e: 3, d: 2 }] }, a: 1, f: undefined, g: null },
      ),
    );
  });

  const different: readonly [unknown, unknown][] = [
    [1, "1"],
    [0, false],
    [null, {}],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, null]],
    [{ a: 1 }, { b: 1 }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
  ];
  for (const [a, b] of different) {
    it(`differs: ${JSON.stringify(a)} and ${JSON.stringify(b)}`, () => {
      assert.equal(deepEqual(a, b), false);
      assert.equal(deepEqual(b, a), false);
    });
  }

  it("is the same as its own copy through the engine's protocol", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.ok(deepEqual(value, JSON.parse(JSON.stringify(value))))));
  });
});

describe("a value not known yet", () => {
  const sentinels = [
    "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  ];
  for (const sentinel of sentinels) {
    it(`is ${sentinel}, at any depth`, () => {
      assert.ok(containsUnknown(sentinel));
      assert.ok(containsUnknown({ a: [1, { b: sentinel }] }));
      assert.equal(containsUnknown({ [sentinel]: `${sentinel}x` }), false);
    });
  }
});
