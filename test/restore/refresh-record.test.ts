import assert from "node:assert/strict";
import { refreshRecord } from "../../provider/restore/resume-restore";
import { VirtualClock } from "../support/virtual-clock";
import { FakeFeed, sessionOn } from "./support/fake-feed";
import { markAt, ours, requestOf, recordWith } from "./support/rows";

const minute = 60_000;

/** A refresh of a restore that is transaction 5011, on a feed that ticks when the test says so. */
function refresh(changes: Parameters<typeof recordWith>[0] = {}) {
  const clock = new VirtualClock();
  const feed = new FakeFeed(clock);
  const record = recordWith({ status: "running", transactionId: "5011", transactionIds: ["5011"], ...changes });
  return { clock, feed, record, seen: refreshRecord(sessionOn(clock, feed), requestOf(), record, "intent-1") };
}

describe("a refresh of an unfinished restore", () => {
  it("of another panel reads nothing: there the same id is somebody else's", async () => {
    const postedAfter = markAt("5010", { panel: "https://other.test" });
    const { feed, record, seen } = refresh({ postedAfter });
    assert.equal(feed.watches.size, 0, "the configured panel's list was asked for");
    feed.tick([ours(5011, { status: "complete" })]);
    assert.deepEqual(await seen, record);
  });

  it("of the panel that is configured tells what its list says", async () => {
    const { clock, feed, seen } = refresh({ postedAfter: markAt("5010") });
    assert.equal(feed.watches.size, 1);
    feed.tick([ours(5011, { status: "complete" })]);
    feed.tick([]);
    assert.equal((await clock.run(seen)).status, "complete");
  });

  it("is no error once the list can be read again", async () => {
    const { clock, feed, seen } = refresh();
    feed.fail(new Error("the panel is down"));
    feed.tick([ours(5011, { status: "running" })]);
    await clock.advance(2 * minute);
    assert.equal((await seen).status, "running");
  });

  it("is an error while the list cannot be read", async () => {
    const { clock, feed, seen } = refresh();
    const failed = assert.rejects(seen, /its status could not be read: the panel is down/);
    feed.tick([ours(5011, { status: "running" })], { reachedFloor: false });
    feed.fail(new Error("the panel is down"));
    await clock.advance(2 * minute);
    await failed;
  });
});
