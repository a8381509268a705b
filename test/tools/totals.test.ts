import assert from "node:assert/strict";

describe("the last line of a test run", () => {
  it("adds up what several runs reported", async () => {
    const { addUp, totalsLine } = await import("../../tools/test/totals.mjs");
    const lines =
      '{"passed":3,"failed":0,"skipped":0,"times":{"a":1}}\n{"passed":2,"failed":1,"skipped":4,"times":{"b":2}}\n';
    assert.equal(totalsLine(addUp(lines, 2)), "5 passed, 1 failed, 4 skipped");
    assert.deepEqual(addUp(lines, 2).times, { a: 1, b: 2 });
  });

  it("counts a run that ended without a report as a failure", async () => {
    const { addUp, totalsLine } = await import("../../tools/test/totals.mjs");
    assert.equal(totalsLine(addUp('{"passed":3,"failed":0,"skipped":0}\n', 2)), "3 passed, 1 failed");
    assert.equal(totalsLine(addUp("", 1)), "0 passed, 1 failed");
  });
});
