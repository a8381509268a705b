import assert from "node:assert/strict";
import { feedOn } from "./support/feed-on";
import { Recorder } from "./support/recorder";

describe("the newest page", () => {
  it("is read once for forty calls at the same time", async () => {
    const { clock, panel, feed } = feedOn();
    const newest = panel.add();
    const heads = await clock.run(Promise.all(Array.from({ length: 40 }, () => feed.head())));
    assert.equal(panel.asked.length, 1);
    assert.ok(heads.every(({ rows }) => rows[0]?.id === newest));
    assert.equal(clock.pending, 0);
  });

  it("is read once or twice for forty calls that trickle in while it is read", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 400;
    panel.add();
    const calls: Promise<unknown>[] = [];
    for (let call = 0; call < 40; call++) {
      calls.push(feed.head());
      await clock.advance(10);
    }
    await clock.run(Promise.all(calls));
    assert.equal(panel.asked.length, 2);
  });

  it("is read at most eight times a second for a hundred calls one after the other, and never begins before the call", async () => {
    const { clock, panel, feed } = feedOn();
    panel.add();
    const calls: Promise<void>[] = [];
    for (let call = 0; call < 100; call++) {
      const calledAt = clock.now();
      calls.push(
        feed.head().then(({ readAt, answeredAt }) => {
          assert.ok(readAt >= calledAt && answeredAt - calledAt <= 600);
        }),
      );
      await clock.advance(20);
    }
    await clock.run(Promise.all(calls));
    assert.ok(panel.asked.length <= 17, String(panel.asked.length));
    assert.equal(clock.pending, 0);
  });

  it("is never older than the call", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 1_000;
    panel.add();
    const first = feed.head();
    await clock.advance(500);
    assert.equal(panel.inFlight, 1);
    const calledAt = clock.now();
    const second = feed.head();
    const newest = panel.add();
    const [, head] = await clock.run(Promise.all([first, second]));
    assert.ok(head.readAt >= calledAt);
    assert.equal(head.rows[0]?.id, newest);
  });

  it("is empty on a panel without transactions", async () => {
    const { clock, feed } = feedOn();
    assert.deepEqual((await clock.run(feed.head())).rows, []);
  });

  it("cannot be read when its rows have no ids: it is not empty, and a restore would not be found there", async () => {
    const { clock, panel, feed } = feedOn();
    panel.walkTransactions = async function* () {
      yield await Promise.resolve({ items: [], skipped: 3 });
    };
    await clock.run(assert.rejects(feed.head(), /none of the rows .* has an id/));
    panel.walkTransactions = async function* () {
      yield await Promise.resolve({ items: [], skipped: 0 });
    };
    assert.deepEqual((await clock.run(feed.head())).rows, []);
    assert.equal(clock.pending, 0);
  });

  it("is the first page of a walk that is about to start anyway", async () => {
    const { clock, panel, feed } = feedOn();
    const ids = panel.addMany(30);
    const watch = new Recorder({ ids: [ids[0]!] });
    feed.watch(watch);
    const head = await clock.run(feed.head());
    assert.equal(head.rows.length, 10);
    await clock.advance(1_000);
    assert.deepEqual(
      panel.asked.map(({ page }) => page),
      [1, 2, 3],
    );
    assert.equal(watch.ticks.length, 1);
  });

  it("counts as a look when it shows every watch all it waits for", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    const watch = new Recorder({ ids: [id] });
    feed.watch(watch);
    await clock.advance(5_000);
    panel.change(id, { status: "complete" });
    await clock.run(feed.head());
    assert.deepEqual(watch.heardOf(id), ["pending", "complete"]);
  });

  it("says nothing to a watch that it shows only a part", async () => {
    const { clock, panel, feed } = feedOn();
    const ids = panel.addMany(30);
    const watch = new Recorder({ ids: [ids[0]!] });
    feed.watch(watch);
    await clock.advance(5_000);
    const ticks = watch.ticks.length;
    await clock.run(feed.head());
    assert.equal(watch.ticks.length, ticks);
  });

  it("answers before a long walk has ended", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 100;
    const ids = panel.addMany(100);
    feed.watch(new Recorder({ ids: [ids[0]!] }));
    const calledAt = clock.now();
    await clock.run(feed.head());
    assert.ok(clock.now() - calledAt < 300);
  });

  it("fails for each caller when it cannot be read, and can be asked for again", async () => {
    const { clock, panel, feed } = feedOn();
    panel.failures.push(new Error("502"));
    const outcomes = await clock.run(Promise.allSettled([feed.head(), feed.head()]));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.deepEqual((await clock.run(feed.head())).rows, []);
  });

  it("is given up by one caller without the others noticing", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 1_000;
    panel.add();
    const controller = new AbortController();
    const given = feed.head({ signal: controller.signal });
    const kept = feed.head();
    await clock.advance(500);
    controller.abort(new Error("not needed any more"));
    await assert.rejects(given, /not needed any more/);
    assert.equal((await clock.run(kept)).rows.length, 1);
  });

  it("is not read on, nor at all, when every caller has given up", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 1_000;
    const controller = new AbortController();
    const calls = [feed.head({ signal: controller.signal }), feed.head({ signal: controller.signal })];
    await clock.advance(500);
    controller.abort();
    await Promise.allSettled(calls);
    await clock.advance(0);
    assert.equal(panel.inFlight, 0);
    assert.equal(clock.pending, 0);

    await assert.rejects(feed.head({ signal: controller.signal }));
    assert.equal(clock.pending, 0);
    assert.equal(panel.asked.length, 1);
  });
});
