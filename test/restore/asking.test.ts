import assert from "node:assert/strict";
import { directReads } from "../../provider/restore/poll";
import { settle, VirtualClock } from "../support/virtual-clock";
import { row } from "./support/rows";
import { FakeFeed, LogClient, sessionOn } from "./support/fake-feed";

type Open = "nothing" | "whose rows these are" | "how the list stands now";

describe("what a wait asks for itself", () => {
  const scene = () => {
    const clock = new VirtualClock();
    const client = new LogClient();
    const heard: string[] = [];
    const questions = directReads<Open>(
      sessionOn(clock, new FakeFeed(clock), client),
      {
        needsMachineLog: (open) => (open === "whose rows these are" ? [row(1)] : []),
        needsNewestPage: (open) => open === "how the list stands now",
      },
      "42",
      ({ type }) => heard.push(type),
    );
    return { clock, client, heard, questions };
  };

  it("is what its state leaves open, and the answer is an event", async () => {
    const { client, heard, questions } = scene();
    questions.start("nothing");
    await settle();
    assert.deepEqual([client.reads, heard], [0, []]);
    questions.start("whose rows these are");
    await settle();
    questions.start("how the list stands now");
    await settle();
    assert.deepEqual(heard, ["machine-log", "newest-page"]);
    questions.stop();
  });

  it("is asked once at a time", async () => {
    const { clock, client, heard, questions } = scene();
    for (let times = 0; times < 3; times++) {
      questions.start("whose rows these are");
      questions.start("how the list stands now");
    }
    await settle();
    assert.equal(client.reads, 1);
    assert.deepEqual(heard.sort(), ["machine-log", "newest-page"]);
    questions.stop();
    await settle();
    assert.equal(clock.pending, 0);
  });

  it("is asked no more when nobody waits", async () => {
    const { client, heard, questions } = scene();
    questions.stop();
    questions.start("whose rows these are");
    questions.start("how the list stands now");
    await settle();
    assert.deepEqual([client.reads, heard], [0, []]);
  });
});
