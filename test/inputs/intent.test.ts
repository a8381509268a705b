import assert from "node:assert/strict";
import {
  encodePredecessors,
  intentIdOf,
  predecessorsUnchanged,
  makingProcessOf,
  type Predecessor,
} from "../../provider/inputs/intent";

const restore = (madeUnder: string | undefined, transactionIds: string[], predecessor?: Predecessor): Predecessor => ({
  urn: "urn",
  intentId: "of this run",
  madeUnder,
  status: "running",
  transactionIds,
  ...(predecessor && { predecessor }),
});

describe("the restores of its machine that an intent remembers", () => {
  const before = restore("second", ["t5", "t6"], restore("first", ["t1"]));
  const table: readonly [name: string, now: Predecessor | undefined, still: boolean][] = [
    ["are the same where nothing has changed", before, true],
    ["where more of a chain is listed, in front too", restore("second", ["t9", "t5", "t6"], before.predecessor), true],
    ["not where one was tried again under its intent", restore("second", ["t9"], before.predecessor), false],
    ["not where one was sent anew", restore("third", ["t5"], before.predecessor), false],
    ["not where one further back was", restore("second", ["t5"], restore("first", ["t2"])), false],
    ["not where one has come between", restore("third", ["t8"], before), false],
    ["not where there is none any more", undefined, false],
  ];
  for (const [name, now, still] of table) {
    it(name, () => {
      assert.equal(predecessorsUnchanged(encodePredecessors(before), now), still);
    });
  }

  it("are none where there was none, and a restore that had no transaction is another one with its first", () => {
    assert.equal(predecessorsUnchanged(encodePredecessors(undefined), undefined), true);
    assert.equal(predecessorsUnchanged(encodePredecessors(undefined), before), false);
    const unlisted = restore("first", []);
    assert.equal(predecessorsUnchanged(encodePredecessors(unlisted), unlisted), true);
    assert.equal(predecessorsUnchanged(encodePredecessors(unlisted), restore("first", ["t1"])), false);
    // One that this very run is to send for the first time.
    assert.equal(predecessorsUnchanged(encodePredecessors(restore(undefined, [])), undefined), true);
  });
});

describe("the id of an intent", () => {
  it("tells the process that made it, and is another for each of them", () => {
    const [first, second] = [intentIdOf("0b3ec8567291", 1), intentIdOf("0b3ec8567291", 12)];
    assert.notEqual(first, second);
    assert.deepEqual([first, second].map(makingProcessOf), ["0b3ec8567291", "0b3ec8567291"]);
    assert.notEqual(makingProcessOf(intentIdOf("0b3ec856729", 11)), "0b3ec8567291");
  });

  it("tells none where an earlier release made it, whatever it looks like", () => {
    const uuids = ["intent-0e06bd84-f04a-4d83-89b4-36d4b31ed48e", "intent-0e06bd84-f04a-4d83-89b4-364943194841"];
    for (const id of [...uuids, "intent-0b3ec85672912d9d", "intent-1", "", "-1", "x"])
      assert.equal(makingProcessOf(id), undefined, id);
  });
});
