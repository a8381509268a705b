import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import { feedOn } from "./support/feed-on";
import { Recorder } from "./support/recorder";

const pagesAsked = (asked: readonly { readonly page: number }[]): number[] => asked.map(({ page }) => page);

describe("the shared scan", () => {
  it("gives a new subscriber an early read, then keeps reading until it leaves", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    const subscriber = new Recorder({ awaitedIds: [id] });
    const subscription = feed.subscribe(subscriber);
    await clock.advance(1_000);
    assert.deepEqual(subscriber.statusesOf(id), ["pending"]);

    panel.change(id, { status: "running" });
    await clock.advance(10_000);
    assert.deepEqual(subscriber.statusesOf(id), ["pending", "running"]);

    subscription.close();
    const asked = panel.asked.length;
    assert.equal(clock.pending, 0);
    await clock.advance(60_000);
    assert.equal(panel.asked.length, asked);
  });

  it("does nothing while nobody waits", async () => {
    const { clock, panel } = feedOn();
    await clock.advance(60_000);
    assert.equal(clock.pending, 0);
    assert.equal(panel.asked.length, 0);
  });

  it("reads the list once for all subscribers, down to the lowest stop and no further", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 10 });
    const ids = panel.addMany(60);
    const subscribers = ids.slice(20).map((id) => new Recorder({ awaitedIds: [id] }));
    for (const subscriber of subscribers) feed.subscribe(subscriber);
    await clock.advance(400);
    assert.deepEqual(pagesAsked(panel.asked), [1, 2, 3, 4]);
    assert.ok(subscribers.every((subscriber) => subscriber.lastDelivery.length === 1));
    assert.ok(subscribers.every((subscriber) => subscriber.reads[0]?.reachedStop));
  });

  it("asks for one page when all that is awaited is on it", async () => {
    const { clock, panel, feed } = feedOn();
    panel.addMany(50);
    const [mark, ours] = [panel.add(), panel.add()];
    feed.subscribe(new Recorder({ mark: { newestId: mark } }));
    feed.subscribe(new Recorder({ awaitedIds: [ours] }));
    await clock.advance(400);
    assert.deepEqual(pagesAsked(panel.asked), [1]);
  });

  it("has one scan in flight at most, however slow the panel and however many ask", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 3_000;
    const ids = panel.addMany(40);
    const subscriptions = ids.map((id) => feed.subscribe(new Recorder({ awaitedIds: [id] })));
    for (let second = 0; second < 120; second++) {
      for (const subscription of subscriptions) subscription.readSoon();
      void feed.newestPage();
      await clock.advance(1_000);
    }
    assert.equal(panel.mostInFlight, 1);
    for (const subscription of subscriptions) subscription.close();
    await clock.advance(10_000);
    assert.equal(clock.pending, 0);
  });

  it("answers many calls of readSoon with one read", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    const subscriptions = Array.from({ length: 30 }, () => feed.subscribe(new Recorder({ awaitedIds: [id] })));
    for (const subscription of subscriptions) subscription.readSoon();
    await clock.advance(450);
    assert.equal(panel.asked.length, 1);
  });

  it("gives a subscriber that comes during a scan a read of its own, not the end of that scan", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 1_000;
    const first = panel.add();
    feed.subscribe(new Recorder({ awaitedIds: [first] }));
    await clock.advance(500);
    assert.equal(panel.inFlight, 1);
    const late = new Recorder({}, () => true);
    const startedAt = clock.now();
    feed.subscribe(late);
    await clock.advance(4_000);
    assert.ok(late.reads.length > 0);
    assert.ok(late.reads.every(({ newestPage }) => newestPage.readAt >= startedAt));
  });

  it("ends its request when the last subscriber leaves in the middle of a scan", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 5_000;
    const subscriber = new Recorder({});
    const subscription = feed.subscribe(subscriber);
    await clock.advance(1_000);
    assert.equal(panel.inFlight, 1);
    subscription.close();
    await clock.advance(0);
    assert.equal(panel.inFlight, 0);
    assert.equal(clock.pending, 0);
    assert.equal(subscriber.failures.length, 0);
  });

  it("stops at the oldest awaited row when one that is awaited is gone", async () => {
    const { clock, panel, feed } = feedOn();
    const ids = panel.addMany(200);
    const gone = ids[165]!;
    panel.remove(gone);
    const subscriber = new Recorder({ awaitedIds: [gone] });
    feed.subscribe(subscriber);
    await clock.advance(400);
    assert.deepEqual(pagesAsked(panel.asked), [1, 2, 3, 4]);
    assert.equal(subscriber.reads[0]?.reachedStop, true);
  });

  it("goes no deeper than its limit where ids do not compare and the awaited row is gone", async () => {
    const { clock, panel, feed } = feedOn({ maxPages: 5 });
    for (let row = 0; row < 200; row++) panel.add({}, `x${String(row)}y`);
    const subscriber = new Recorder({ awaitedIds: ["gone" as TransactionId] });
    feed.subscribe(subscriber);
    await clock.advance(400);
    assert.deepEqual(pagesAsked(panel.asked), [1, 2, 3, 4, 5]);
    assert.equal(subscriber.reads[0]?.reachedStop, false);
  });

  it("stops at the end of the list", async () => {
    const { clock, panel, feed } = feedOn();
    panel.addMany(12);
    const subscriber = new Recorder({ mark: {} }, () => true);
    feed.subscribe(subscriber);
    await clock.advance(400);
    assert.equal(subscriber.lastDelivery.length, 12);
    assert.equal(subscriber.reads[0]?.reachedStop, true);
  });

  it("lets subscribers leave and join from within onRead", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    const second = new Recorder({ awaitedIds: [id] });
    const joined = new Recorder({ awaitedIds: [id] });
    const first = new Recorder({ awaitedIds: [id] });
    const subscriptions = [feed.subscribe(first), feed.subscribe(second)];
    first.afterRead = () => {
      for (const subscription of subscriptions) subscription.close();
      if (joined.reads.length === 0) feed.subscribe(joined);
    };
    await clock.advance(5_000);
    assert.equal(first.reads.length, 1);
    assert.equal(second.reads.length, 0);
    assert.deepEqual(joined.lastDelivery, [`${id}:pending`]);
  });

  it("goes on for the others when a subscriber throws in any of its functions", async () => {
    const thrown: unknown[] = [];
    const { clock, panel, feed } = feedOn({ onSubscriberError: (error) => thrown.push(error) });
    const id = panel.add();
    const fails = (): never => {
      throw new Error("broken subscriber");
    };
    feed.subscribe({ stopRule: fails, wants: fails, onRead: fails, onReadFailed: fails, awaitedSince: fails });
    const healthy = new Recorder({ awaitedIds: [id] });
    feed.subscribe(healthy);
    await clock.advance(3_000);
    assert.deepEqual(healthy.lastDelivery, [`${id}:pending`]);
    panel.failures.push(new Error("reset"));
    await clock.advance(15_000);
    assert.equal(healthy.failures.length, 1);
    assert.ok(thrown.length > 3);
  });

  it("delivers every wanted row each time, newest first, also those delivered before", async () => {
    const { clock, panel, feed } = feedOn();
    const mark = panel.add();
    const ids = panel.addMany(15);
    const subscriber = new Recorder({ mark: { newestId: mark } }, ({ id }) => id !== ids[3]);
    feed.subscribe(subscriber);
    await clock.advance(25_000);
    const wanted = [...ids.filter((id) => id !== ids[3]).reverse(), mark].map((id) => `${id}:pending`);
    assert.deepEqual(subscriber.deliveries, [wanted, wanted, wanted]);
  });

  it("says whether the mark was reached, and whether all of it was so at one moment", async () => {
    const { clock, panel, feed } = feedOn();
    const mark = panel.add();
    const [ours] = panel.addMany(8);
    const marked = new Recorder({ mark: { newestId: mark } });
    const known = new Recorder({ awaitedIds: [ours!] });
    for (const subscriber of [marked, known]) feed.subscribe(subscriber);
    const said = ({ reads }: Recorder): unknown[] => {
      const { reachedStop, reachedMark, inOneRequest } = reads.at(-1)!;
      return [reachedStop, reachedMark, inOneRequest];
    };
    await clock.advance(1_000);
    assert.deepEqual(
      [said(marked), said(known)],
      [
        [true, true, true],
        [true, false, true],
      ],
    );
    panel.addMany(15);
    await clock.advance(10_000);
    assert.deepEqual(
      [said(marked), said(known)],
      [
        [true, true, false],
        [true, false, false],
      ],
    );
  });

  it("reads often after the awaited thing began, and again when it begins anew", async () => {
    const { clock, panel, feed } = feedOn({ random: () => 0 });
    const subscriber = new Recorder({ awaitedIds: [panel.add()] });
    subscriber.awaitedSinceNow = clock.now();
    const subscription = feed.subscribe(subscriber);
    const readTimes = async (ms: number): Promise<number[]> => {
      const from = clock.now();
      panel.asked.length = 0;
      await clock.advance(ms);
      return panel.asked.map(({ at }) => at - from);
    };
    const quick = (await readTimes(60_000)).map((ms) => Math.round(ms / 100) / 10);
    assert.deepEqual(quick, [0.2, 2.2, 4.3, 8.6, 17.2, 27.2, 37.1, 47.1, 57]);
    subscriber.awaitedSinceNow = clock.now();
    subscription.readSoon();
    assert.ok((await readTimes(20_000)).length >= 4);
  });

  it("reads often after a wait has ended: restores that began together end together", async () => {
    const { clock, panel, feed } = feedOn({ random: () => 0 });
    const [first, second] = [new Recorder({ awaitedIds: [panel.add()] }), new Recorder({ awaitedIds: [panel.add()] })];
    const ended = feed.subscribe(first);
    feed.subscribe(second);
    await clock.advance(120_000);
    const reads = first.reads.length;
    first.afterRead = () => {
      ended.close();
    };
    while (first.reads.length === reads) await clock.advance(100);
    const from = clock.now();
    panel.asked.length = 0;
    await clock.advance(10_000);
    assert.deepEqual(
      panel.asked.map(({ at }) => Math.round((at - from) / 1_000)),
      [2, 4, 8],
    );
  });

  it("takes ids as proof of a missing row only where the list is newest first", async () => {
    const { clock, panel, feed } = feedOn();
    const stamp = (minutes: number): string =>
      new Date(Date.parse("2026-11-21T10:00:00Z") + minutes * 60_000).toISOString();
    const ours = panel.add({ createdAt: stamp(2) }, "50");
    for (let row = 0; row < 20; row++)
      panel.add({ createdAt: stamp(row % 2 === 0 ? 1 : 5) }, String(row % 2 === 0 ? 40 - row : 90 + row));
    const subscriber = new Recorder({ awaitedIds: [ours] });
    feed.subscribe(subscriber);
    await clock.advance(1_000);
    assert.deepEqual(subscriber.lastDelivery, ["50:pending"]);
  });
});
