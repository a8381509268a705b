import assert from "node:assert/strict";
import { directReads } from "../../provider/restore/direct-reads";
import { settle, VirtualClock } from "../support/virtual-clock";
import { row } from "./support/rows";
import { FakeFeed, LogClient, sessionOn } from "./support/fake-feed";

type Open = "nothing" | "whose rows these are" | "how the list stands now";

describe("the reads of a poll for itself", () => {
  const scene = () => {
    const clock = new VirtualClock();
    const client = new LogClient();
    const events: string[] = [];
    const reads = directReads<Open>(
      sessionOn(clock, new FakeFeed(clock), client),
      {
        needsMachineLog: (open) => (open === "whose rows these are" ? [row(1)] : []),
        needsNewestPage: (open) => open === "how the list stands now",
      },
      "42",
      ({ type }) => events.push(type),
    );
    return { clock, client, heard: events, questions: reads };
  };

  it("are those that its state needs, and the answer is an event", async () => {
    const { client, heard: events, questions: reads } = scene();
    reads.start("nothing");
    await settle();
    assert.deepEqual([client.reads, events], [0, []]);
    reads.start("whose rows these are");
    await settle();
    reads.start("how the list stands now");
    await settle();
    assert.deepEqual(events, ["machine-log", "newest-page"]);
    reads.stop();
  });

  it("run once at a time", async () => {
    const { clock, client, heard: events, questions: reads } = scene();
    for (let times = 0; times < 3; times++) {
      reads.start("whose rows these are");
      reads.start("how the list stands now");
    }
    await settle();
    assert.equal(client.reads, 1);
    assert.deepEqual(events.sort(), ["machine-log", "newest-page"]);
    reads.stop();
    await settle();
    assert.equal(clock.pending, 0);
  });

  it("run no more when nobody waits", async () => {
    const { client, heard: events, questions: reads } = scene();
    reads.stop();
    reads.start("whose rows these are");
    reads.start("how the list stands now");
    await settle();
    assert.deepEqual([client.reads, events], [0, []]);
  });
});
