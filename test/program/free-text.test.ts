import assert from "node:assert/strict";
import fc from "fast-check";
import type { ListedTransaction } from "../../provider/panel/types";
import { containsFreeText, plainTransaction } from "../../provider/program/rows";

const withoutFreeText = (fields: object): object =>
  plainTransaction({ id: "7", fields: { ...fields } } as unknown as ListedTransaction).fields;

describe("free text in what a panel sends", () => {
  const carrying: object[] = [
    { log_output: "done" },
    { "log-output": "done" },
    { logOutput: "done" },
    { LOG_OUTPUT: "done" },
    { params: { key: "value" } },
    { params: "raw" },
    { nested: [{ deeper: { log_output: "done" } }] },
  ];
  for (const fields of carrying) {
    it(`is found in, and taken out of, ${JSON.stringify(fields)}`, () => {
      assert.equal(containsFreeText(fields), true);
      assert.doesNotMatch(JSON.stringify(withoutFreeText(fields)), /done|value|raw/);
    });
  }

  const free: object[] = [
    {},
    { id: 1, action: "log_output", status: "params" },
    { log_output: "", params: {} },
    { log_output: null, params: [] },
    { parameters: "x", log: "x" },
  ];
  for (const fields of free) {
    it(`is not seen in ${JSON.stringify(fields)}`, () => {
      assert.equal(containsFreeText(fields), false);
    });
  }

  it("leaves everything else as it was, and the original alone", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const fields = { id: 7, value, log_output: "done" };
        const kept = withoutFreeText(fields);
        assert.equal(fields.log_output, "done");
        assert.equal(containsFreeText(kept), false);
        if (!containsFreeText(value)) assert.equal((kept as { id: number }).id, 7);
      }),
    );
    const plain = { a: [1, "two", null, { b: true }], c: 1.5 };
    assert.deepEqual(withoutFreeText(plain), plain);
  });
});
