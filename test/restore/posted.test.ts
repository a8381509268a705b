import assert from "node:assert/strict";
import { postedUnwatched } from "../../provider/restore/turn";

describe("a restore that nobody waits for", () => {
  it("is waited for only once somebody asks, and once for all who ask", async () => {
    let begun = 0;
    const posted = postedUnwatched(() => Promise.resolve(++begun));
    assert.equal(begun, 0);
    await Promise.all([posted.settle(), posted.settle()]);
    await posted.settle();
    assert.equal(begun, 1);
  });
  it("is settled as well when it cannot be known how it ended", async () => {
    await postedUnwatched(() => Promise.reject(new Error("the panel is gone"))).settle();
  });
});
