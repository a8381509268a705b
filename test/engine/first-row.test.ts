import assert from "node:assert/strict";
import { FirstRowWarnings } from "../../provider/engine/first-row-warnings";

describe("what concerns no single restore", () => {
  it("waits for the first row, and is said there once", () => {
    const said: string[] = [];
    const row = new FirstRowWarnings((urn, text) => said.push(`${urn}: ${text}`));
    row.warn("no certificate is verified");
    assert.deepEqual(said, []);
    row.setRow("a");
    row.setRow("b");
    row.warn("the list could be read again");
    assert.deepEqual(said, ["a: no certificate is verified", "a: the list could be read again"]);
  });
});
