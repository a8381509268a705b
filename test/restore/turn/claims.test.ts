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
});
