import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import { feedOn } from "./support/feed-on";
import { Recorder } from "./support/recorder";

const second = 1_000;

describe("rows buried under new ones", () => {
  it("are gone to directly: the requests of a tick grow with what is new and what is awaited, not with what lies between", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 100 });
    const id = panel.add();
    const subscriber = new Recorder({ awaitedIds: [id] });
    feed.subscribe(subscriber);
    for (let passed = 0; passed < 600; passed++) {
      panel.addMany(10);
      await clock.advance(second);
    }
    panel.asked.length = 0;
    panel.change(id, { status: "complete" });
    for (let passed = 0; passed < 10; passed++) {
      panel.addMany(10);
      await clock.advance(second);
    }
    assert.deepEqual(subscriber.statusesOf(id), ["pending", "complete"]);
    assert.ok(panel.asked.length <= 8, panel.asked.map(({ page }) => page).join(" "));
  });

  it("are found again when rows above them were deleted", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 20 });
    const ids = panel.addMany(5);
    const subscriber = new Recorder({ awaitedIds: ids });
    feed.subscribe(subscriber);
    for (let passed = 0; passed < 100; passed++) {
      const added = panel.addMany(8);
      if (passed % 15 === 14) for (const gone of added.slice(2)) panel.remove(gone);
      await clock.advance(second);
    }
    for (const row of panel.rows.slice(300, 345)) if (!ids.includes(row.id)) panel.remove(row.id);
    for (const id of ids) panel.change(id, { status: "complete" });
    await clock.advance(25 * second);
    for (const id of ids) assert.deepEqual(subscriber.statusesOf(id), ["pending", "complete"]);
    assert.equal(subscriber.reads.at(-1)?.reachedStop, true);
  });

  it("do not hide a row that is new where the mark is needed", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 10 });
    const id = panel.add({ chainId: "900" });
    const subscriber = new Recorder({ awaitedIds: [id] }, (row) => row.chainId === "900");
    feed.subscribe(subscriber);
    panel.addMany(600);
    await clock.advance(second);
    assert.deepEqual(subscriber.lastDelivery, [`${id}:pending`]);
    assert.equal(subscriber.reads.at(-1)?.reachedMark, false);
    const late = panel.add({ chainId: "900" });
    panel.addMany(30);
    subscriber.ruleNow = { mark: { newestId: id } };
    await clock.advance(10 * second);
    assert.deepEqual(subscriber.lastDelivery, [`${late}:pending`, `${id}:pending`]);
    assert.equal(subscriber.reads.at(-1)?.reachedMark, true);
  });

  it("end the read even if they are gone", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 10 });
    const [gone, there] = [panel.add(), panel.add()] as [TransactionId, TransactionId];
    const subscriber = new Recorder({ awaitedIds: [gone, there] });
    feed.subscribe(subscriber);
    for (let passed = 0; passed < 200; passed++) {
      panel.addMany(5);
      await clock.advance(second);
    }
    panel.remove(gone);
    await clock.advance(20 * second);
    panel.asked.length = 0;
    panel.change(there, { status: "complete" });
    await clock.advance(10 * second);
    assert.deepEqual(subscriber.statusesOf(there), ["pending", "complete"]);
    assert.equal(subscriber.reads.at(-1)?.reachedStop, true);
  });

  it("found by an earlier run are found again 100,000 rows down in a few requests, and at each later read", async () => {
    for (const pageCap of [Number.POSITIVE_INFINITY, 10]) {
      const { clock, panel, feed } = feedOn({ pageSize: 100 });
      panel.pageCap = pageCap;
      panel.addMany(5_000);
      const known = panel.add();
      panel.addMany(2);
      const startedAt = clock.now();
      panel.foreignAbove = () => 100_000 + Math.floor((clock.now() - startedAt) / 500);
      const subscriber = new Recorder({ awaitedIds: [known] });
      feed.subscribe(subscriber);
      await clock.advance(second);
      assert.equal(subscriber.reads.at(-1)?.reachedStop, true);
      assert.deepEqual(subscriber.lastDelivery, [`${known}:pending`]);
      assert.ok(panel.asked.length <= 10, panel.asked.map(({ page }) => page).join(" "));
      panel.asked.length = 0;
      panel.change(known, { status: "complete" });
      await clock.advance(60 * second);
      assert.deepEqual(subscriber.statusesOf(known), ["pending", "complete"]);
      assert.ok(panel.asked.length <= 4 * 6, panel.asked.map(({ page }) => page).join(" "));
    }
  });

  it("are found in at most 30 requests where ids have gaps of every size", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 100 });
    let next = 1n;
    const ids = Array.from({ length: 101_000 }, (_, row) => String((next += BigInt(1 + ((row * 7_919) % 1_009) ** 3))));
    panel.list(ids.toReversed());
    const id = ids[500] as TransactionId;
    const subscriber = new Recorder({ awaitedIds: [id] });
    feed.subscribe(subscriber);
    await clock.advance(second);
    assert.deepEqual(subscriber.lastDelivery, [`${id}:pending`]);
    assert.ok(panel.asked.length <= 30, panel.asked.map(({ page }) => page).join(" "));
  }).timeout(60_000);

  it("are known to be gone in a few requests when they are no longer listed", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 100 });
    const ids = Array.from({ length: 105_000 }, (_, row) => String(105_000 - row));
    const [gone] = ids.splice(100_000, 1) as TransactionId[];
    panel.list(ids);
    const subscriber = new Recorder({ awaitedIds: [gone!] });
    feed.subscribe(subscriber);
    await clock.advance(second);
    assert.equal(subscriber.reads.at(-1)?.reachedStop, true);
    assert.ok(panel.asked.length <= 10, panel.asked.map(({ page }) => page).join(" "));
  });

  it("are searched for as far down as is bearable where ids do not compare, and then not again for a while", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 100, maxPages: 50 });
    const named = (place: number): string => `t${String((place * 7_919) % 1_000_003)}`;
    for (let place = 0; place < 20_000; place++) panel.add({}, named(place));
    const [deep, near] = [named(0), named(19_000)] as TransactionId[];
    const subscriber = new Recorder({ awaitedIds: [deep!] });
    feed.subscribe(subscriber);
    const other = new Recorder({ awaitedIds: [near!] });
    feed.subscribe(other);
    await clock.advance(120 * second);
    assert.ok(subscriber.reads.length > 10);
    assert.ok(
      subscriber.reads.every(({ reachedStop }) => !reachedStop),
      "nobody says that it is not listed",
    );
    assert.deepEqual(other.lastDelivery, [`${near!}:pending`]);
    panel.change(near!, { status: "complete" });
    panel.asked.length = 0;
    await clock.advance(12 * second);
    assert.deepEqual(other.statusesOf(near!), ["pending", "complete"], "what is known is read on meanwhile");
    assert.ok(panel.asked.length <= 2 * (10 + 11), String(panel.asked.length));
    panel.keep(18_000);
    const before = panel.asked.length;
    await clock.advance(120 * second);
    assert.ok(panel.asked.length - before <= 13 * (10 + 11), "ten pages more than what is known");
  });
});
