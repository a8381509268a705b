import assert from "node:assert/strict";
import { Claims } from "../../../provider/restore/turn/claims";

describe("claims on transactions", () => {
  it("keep a transaction from everybody but who took it first", () => {
    const claims = new Claims();
    claims.claim(["5001", "5002"], "a");
    claims.claim(["5002", "5003"], "b");
    const seen = (owner: string) => ["5001", "5002", "5003", "5004"].map((id) => claims.isClaimedByAnother(id, owner));
    assert.deepEqual(seen("a"), [false, false, true, false]);
    assert.deepEqual(seen("b"), [true, true, false, false]);
    assert.deepEqual(seen("c"), [true, true, true, false]);
  });

  it("are awaited of restores that were posted right before, until they are made", () => {
    const claims = new Claims();
    claims.noteUnlisted("a", { machine: "42", at: 100_000 });
    claims.noteUnlisted("b", { machine: "42", at: 103_000 });
    claims.noteUnlisted("c", { machine: "43", at: 103_000 });
    const before = (at: number, owner = "z", machine = "42") => claims.unlistedRightBefore({ machine, at }, owner);
    assert.deepEqual([before(104_000), before(102_000), before(99_999), before(113_001)], [2, 1, 0, 0]);
    assert.deepEqual([before(104_000, "a"), before(104_000, "z", "44"), before(Number.NaN)], [1, 0, 0]);
    claims.claim([], "a");
    assert.equal(before(104_000), 2);
    claims.claim(["5001"], "a");
    assert.equal(before(104_000), 1);
  });
});
