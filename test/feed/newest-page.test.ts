import assert from "node:assert/strict";
import { feedOn } from "./support/feed-on";
import { Recorder } from "./support/recorder";

describe("the newest page", () => {
  it("is read once for forty calls at the same time", async () => {
    const { clock, panel, feed } = feedOn();
    const newest = panel.add();
    const newestPages = await clock.run(Promise.all(Array.from({ length: 40 }, () => feed.newestPage())));
    assert.equal(panel.asked.length, 1);
    assert.ok(newestPages.every(({ rows }) => rows[0]?.id === newest));
    assert.equal(clock.pending, 0);
  });

  it("is read once or twice for forty calls that trickle in while it is read", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 400;
    panel.add();
    const calls: Promise<unknown>[] = [];
    for (let call = 0; call < 40; call++) {
      calls.push(feed.newestPage());
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
        feed.newestPage().then(({ readAt, answeredAt }) => {
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
    const first = feed.newestPage();
    await clock.advance(500);
    assert.equal(panel.inFlight, 1);
    const calledAt = clock.now();
    const second = feed.newestPage();
    const newest = panel.add();
    const [, newestPage] = await clock.run(Promise.all([first, second]));
    assert.ok(newestPage.readAt >= calledAt);
    assert.equal(newestPage.rows[0]?.id, newest);
  });

  it("is empty on a panel without transactions", async () => {
    const { clock, feed } = feedOn();
    assert.deepEqual((await clock.run(feed.newestPage())).rows, []);
  });

  it("cannot be read when its rows have no ids: it is not empty, and a restore would not be found there", async () => {
    const { clock, panel, feed } = feedOn();
    panel.walkTransactions = async function* () {
      yield await Promise.resolve({ items: [], skipped: 3 });
    };
    await clock.run(assert.rejects(feed.newestPage(), /none of the rows .* has an id/));
    panel.walkTransactions = async function* () {
      yield await Promise.resolve({ items: [], skipped: 0 });
    };
    assert.deepEqual((await clock.run(feed.newestPage())).rows, []);
    assert.equal(clock.pending, 0);
  });

  it("is the first page of a scan that is about to start anyway", async () => {
    const { clock, panel, feed } = feedOn();
    const ids = panel.addMany(30);
    const subscriber = new Recorder({ awaitedIds: [ids[0]!] });
    feed.subscribe(subscriber);
    const newestPage = await clock.run(feed.newestPage());
    assert.equal(newestPage.rows.length, 10);
    await clock.advance(1_000);
    assert.deepEqual(
      panel.asked.map(({ page }) => page),
      [1, 2, 3],
    );
    assert.equal(subscriber.reads.length, 1);
  });

  it("counts as a scan when it shows every subscriber all it waits for", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    const subscriber = new Recorder({ awaitedIds: [id] });
    feed.subscribe(subscriber);
    await clock.advance(5_000);
    panel.change(id, { status: "complete" });
    await clock.run(feed.newestPage());
    assert.deepEqual(subscriber.statusesOf(id), ["pending", "complete"]);
  });

  it("is not delivered to a subscriber that it shows only a part", async () => {
    const { clock, panel, feed } = feedOn();
    const ids = panel.addMany(30);
    const subscriber = new Recorder({ awaitedIds: [ids[0]!] });
    feed.subscribe(subscriber);
    await clock.advance(5_000);
    const reads = subscriber.reads.length;
    await clock.run(feed.newestPage());
    assert.equal(subscriber.reads.length, reads);
  });

  it("answers before a long scan has ended", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 100;
    const ids = panel.addMany(100);
    feed.subscribe(new Recorder({ awaitedIds: [ids[0]!] }));
    const calledAt = clock.now();
    await clock.run(feed.newestPage());
    assert.ok(clock.now() - calledAt < 300);
  });

  it("fails for each caller when it cannot be read, and can be asked for again", async () => {
    const { clock, panel, feed } = feedOn();
    panel.failures.push(new Error("502"));
    const outcomes = await clock.run(Promise.allSettled([feed.newestPage(), feed.newestPage()]));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.deepEqual((await clock.run(feed.newestPage())).rows, []);
  });
});
