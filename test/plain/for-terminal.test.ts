import assert from "node:assert/strict";
import fc from "fast-check";
import { forTerminal, engineSafeData } from "../../provider/plain/text";

describe("text from the panel", () => {
  it("cannot name a colour to the engine, at any depth, also as the name of a field", () => {
    const sent = { action: "<{%bad%}>", fields: { "<{%key%}>": ["ok", { deep: "a<{%b" }] }, count: 3, none: null };
    assert.deepEqual(engineSafeData(sent), {
      action: "<{ %bad%}>",
      fields: { "<{ %key%}>": ["ok", { deep: "a<{ %b" }] },
      count: 3,
      none: null,
    });
  });

  it("is otherwise what it was", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!/<\{%|\\ud[89a-f]/.test(JSON.stringify(value)));
        assert.deepEqual(JSON.parse(JSON.stringify(engineSafeData(value))), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("holds no half of a character pair, which the engine's protocol cannot carry", () => {
    assert.deepEqual(engineSafeData(["a\ud800b", "😀"]), ["a\ufffdb", "😀"]);
  });

  it("cannot steer the terminal", () => {
    assert.equal(forTerminal("a\u001b[2Jb\rc\nd\te<{%red%}>"), "a\ufffd[2Jb\ufffdc\nd\te<{ %red%}>");
  });
});
