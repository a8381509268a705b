import assert from "node:assert/strict";
import { DeadlineTimer } from "../../provider/restore/deadline-timer";
import { VirtualClock } from "../support/virtual-clock";
import { newestPageOf } from "./support/rows";

describe("a deadline", () => {
  let clock: VirtualClock;
  let happened: string[];
  let deadline: DeadlineTimer;
  beforeEach(() => {
    clock = new VirtualClock({ startAt: 0 });
    happened = [];
    deadline = new DeadlineTimer(clock, 30, {
      onLastRead: () => happened.push(`read at ${String(clock.now())}`),
      onPassed: (limit) => happened.push(`${limit} at ${String(clock.now())}`),
    });
  });

  it("asks for a last read when it passes, and has passed when that does not come in time", async () => {
    deadline.set({ at: 100, limit: "run" });
    await clock.advance(1_000);
    assert.deepEqual(happened, ["read at 100", "run at 130"]);
  });

  it("has passed with a read that began after it, or failed, and not with an earlier one", async () => {
    deadline.set({ at: 100, limit: "run" });
    deadline.readDone(99);
    deadline.readFailed();
    await clock.advance(110);
    deadline.readDone(99);
    assert.deepEqual(happened, ["read at 100"]);
    deadline.readDone(100);
    assert.deepEqual(happened, ["read at 100", "run at 110"]);
  });

  it("takes a read and a failed one from the events of a poll, and nothing else", async () => {
    deadline.set({ at: 100, limit: "run" });
    await clock.advance(110);
    deadline.noteEvent({ type: "machine-log", transactionIds: [], askedAt: 110 });
    deadline.noteEvent({
      type: "list-read",
      rows: [],
      newestPage: newestPageOf([], 99),
      reachedStop: true,
      reachedMark: true,
      stopRule: {},
      inOneRequest: true,
    });
    assert.deepEqual(happened, ["read at 100"]);
    deadline.noteEvent({
      type: "list-read",
      rows: [],
      newestPage: newestPageOf([], 105),
      reachedStop: true,
      reachedMark: true,
      stopRule: {},
      inOneRequest: true,
    });
    assert.deepEqual(happened, ["read at 100", "run at 110"]);
    deadline.set({ at: 200, limit: "queue" });
    await clock.advance(95);
    deadline.noteEvent({ type: "read-failed", error: new Error("odd"), failuresInARow: 1 });
    assert.deepEqual(happened.slice(2), ["read at 200", "queue at 205"]);
  });

  it("that is set again as it was goes on, and gives way to another one, overdue or not", async () => {
    deadline.set({ at: 100, limit: "queue" });
    await clock.advance(50);
    deadline.set({ at: 100, limit: "queue" });
    await clock.advance(60);
    deadline.set({ at: 300, limit: "run" });
    deadline.readDone(200);
    await clock.advance(1_000);
    assert.deepEqual(happened, ["read at 100", "read at 300", "run at 330"]);
  });

  it("is no more when there is none, or nobody waits", async () => {
    deadline.set({ at: 100, limit: "queue" });
    deadline.set(undefined);
    assert.equal(clock.pending, 0);
    deadline.set({ at: 100, limit: "queue" });
    await clock.advance(110);
    deadline.stop();
    assert.equal(clock.pending, 0);
  });

  it("that had passed before asks for its last read soon", async () => {
    await clock.advance(500);
    deadline.set({ at: 100, limit: "total" });
    await clock.advance(0);
    assert.deepEqual(happened, ["read at 500"]);
  });
});
