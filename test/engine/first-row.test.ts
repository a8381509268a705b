import assert from "node:assert/strict";
import { FirstRow } from "../../provider/engine/process";

describe("what concerns no single restore", () => {
  it("waits for the first row, and is said there once", () => {
    const said: string[] = [];
    const row = new FirstRow((urn, text) => said.push(`${urn}: ${text}`));
    row.say("no certificate is verified");
    assert.deepEqual(said, []);
    row.is("a");
    row.is("b");
    row.say("the list could be read again");
    assert.deepEqual(said, ["a: no certificate is verified", "a: the list could be read again"]);
  });
});
