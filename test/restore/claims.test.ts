import assert from "node:assert/strict";
import { Claims } from "../../provider/restore/claims";

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

  it("are awaited of restores that were posted and not seen listed, until they are made", () => {
    const claims = new Claims();
    claims.noteUnlisted("a", { machine: "42", at: 100_000 });
    claims.noteUnlisted("b", { machine: "42", at: 103_000 });
    claims.noteUnlisted("c", { machine: "43", at: 104_000 });
    const others = (owner: string, machine = "42") => claims.othersUnlisted(machine, owner);
    assert.deepEqual([others("z"), others("a"), others("z", "44")], [[100_000, 103_000], [103_000], []]);
    claims.claim([], "a");
    assert.deepEqual(others("z"), [100_000, 103_000]);
    claims.claim(["5001"], "a");
    assert.deepEqual(others("z"), [103_000]);
  });
});
