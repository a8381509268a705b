import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import { feedOn } from "./support/feed-on";
import { Recorder } from "./support/recorder";

const second = 1_000;

describe("rows buried under new ones", () => {
  it("are gone to directly: the requests of a tick grow with what is new and what is awaited, not with what lies between", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 100 });
    const id = panel.add();
    const watch = new Recorder({ ids: [id] });
    feed.watch(watch);
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
    assert.deepEqual(watch.heardOf(id), ["pending", "complete"]);
    assert.ok(panel.asked.length <= 8, panel.asked.map(({ page }) => page).join(" "));
  });

  it("are found again when rows above them were deleted", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 20 });
    const ids = panel.addMany(5);
    const watch = new Recorder({ ids });
    feed.watch(watch);
    for (let passed = 0; passed < 100; passed++) {
      const added = panel.addMany(8);
      if (passed % 15 === 14) for (const gone of added.slice(2)) panel.remove(gone);
      await clock.advance(second);
    }
    for (const row of panel.rows.slice(300, 345)) if (!ids.includes(row.id)) panel.remove(row.id);
    for (const id of ids) panel.change(id, { status: "complete" });
    await clock.advance(25 * second);
    for (const id of ids) assert.deepEqual(watch.heardOf(id), ["pending", "complete"]);
    assert.equal(watch.ticks.at(-1)?.reachedFloor, true);
  });

  it("do not hide a row that is new, nor one that is listed late below newer ones", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 10 });
    const id = panel.add({ chainId: "900" });
    const watch = new Recorder({ ids: [id] }, (row) => row.chainId === "900");
    feed.watch(watch);
    for (let passed = 0; passed < 120; passed++) {
      panel.addMany(5);
      await clock.advance(second);
    }
    const quick = panel.add({ chainId: "900" });
    const late = panel.add({ chainId: "not listed yet" });
    for (let passed = 0; passed < 10; passed++) {
      panel.addMany(5);
      await clock.advance(second);
    }
    assert.deepEqual(watch.heard, [`${id}:pending`, `${quick}:pending`]);
    panel.change(late, { chainId: "900" });
    await clock.advance(10 * second);
    assert.deepEqual(watch.heard, [`${id}:pending`, `${quick}:pending`, `${late}:pending`]);
  });

  it("that are gone end the tick all the same", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 10 });
    const [gone, there] = [panel.add(), panel.add()] as [TransactionId, TransactionId];
    const watch = new Recorder({ ids: [gone, there] });
    feed.watch(watch);
    for (let passed = 0; passed < 200; passed++) {
      panel.addMany(5);
      await clock.advance(second);
    }
    panel.remove(gone);
    await clock.advance(20 * second);
    panel.asked.length = 0;
    panel.change(there, { status: "complete" });
    await clock.advance(10 * second);
    assert.deepEqual(watch.heardOf(there), ["pending", "complete"]);
    assert.equal(watch.ticks.at(-1)?.reachedFloor, true);
  });

  it("that an earlier run has found are found again 100,000 rows down in a few requests, with their chain", async () => {
    for (const pageCap of [Number.POSITIVE_INFINITY, 10]) {
      const { clock, panel, feed } = feedOn({ pageSize: 100 });
      panel.pageCap = pageCap;
      panel.addMany(5_000);
      const first = panel.add({ chainId: "900" });
      panel.addMany(3);
      const known = panel.add({ chainId: "900" });
      panel.addMany(2);
      const last = panel.add({ chainId: "900" });
      const startedAt = clock.now();
      panel.foreignAbove = () => 100_000 + Math.floor((clock.now() - startedAt) / 500);
      const watch = new Recorder({ ids: [known], around: true }, (row) => row.chainId === "900");
      feed.watch(watch);
      await clock.advance(second);
      assert.equal(watch.ticks.at(-1)?.reachedFloor, true);
      assert.deepEqual(watch.heard, [`${last}:pending`, `${known}:pending`, `${first}:pending`]);
      assert.ok(panel.asked.length <= 10, panel.asked.map(({ page }) => page).join(" "));
      panel.asked.length = 0;
      watch.floorNow = { ids: [known] };
      panel.change(known, { status: "complete" });
      await clock.advance(60 * second);
      assert.deepEqual(watch.heardOf(known), ["pending", "complete"]);
      assert.ok(panel.asked.length <= 7 * 6, panel.asked.map(({ page }) => page).join(" "));
    }
  });

  it("and are listed no more, are known to be gone in a few requests", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 100 });
    panel.addMany(5_000);
    const gone = panel.add();
    panel.addMany(100_000);
    panel.remove(gone);
    const watch = new Recorder({ ids: [gone] });
    feed.watch(watch);
    await clock.advance(second);
    assert.equal(watch.ticks.at(-1)?.reachedFloor, true);
    assert.ok(panel.asked.length <= 10, panel.asked.map(({ page }) => page).join(" "));
  });

  it("are searched for as far down as is bearable where ids do not compare, and then not again for a while", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 100, maxPages: 50 });
    const named = (place: number): string => `t${String((place * 7_919) % 1_000_003)}`;
    for (let place = 0; place < 20_000; place++) panel.add({}, named(place));
    const [deep, near] = [named(0), named(19_000)] as TransactionId[];
    const watch = new Recorder({ ids: [deep!] });
    feed.watch(watch);
    const other = new Recorder({ ids: [near!] });
    feed.watch(other);
    await clock.advance(120 * second);
    assert.ok(watch.ticks.length > 10);
    assert.ok(
      watch.ticks.every(({ reachedFloor }) => !reachedFloor),
      "nobody says that it is not listed",
    );
    assert.deepEqual(other.heard, [`${near!}:pending`]);
    panel.change(near!, { status: "complete" });
    panel.asked.length = 0;
    await clock.advance(12 * second);
    assert.deepEqual(other.heardOf(near!), ["pending", "complete"], "what is known is read on meanwhile");
    assert.ok(panel.asked.length <= 2 * (10 + 11), String(panel.asked.length));
    panel.keep(18_000);
    const before = panel.asked.length;
    await clock.advance(120 * second);
    assert.ok(panel.asked.length - before <= 13 * (10 + 11), "ten pages more than what is known");
  });
});

describe("a mark far down", () => {
  it("is read down to once, and what is new from then on: the rest lists nothing late any more", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 100, maxPages: 50 });
    const startedAt = clock.now();
    const made = (place: number): string => new Date(startedAt - (40_000 - place) * 10 * second).toISOString();
    const mark = panel.add({ createdAt: made(0) });
    const old = panel.add({ createdAt: made(1), action: "restore" });
    for (let place = 2; place < 40_000; place++) panel.add({ createdAt: made(place) });
    const watch = new Recorder({ above: mark, aboveIds: [mark] }, (row) => row.action === "restore");
    watch.urgencyNow = "listing";
    feed.watch(watch);
    await clock.advance(second);
    assert.deepEqual([watch.heard, watch.ticks.at(-1)?.reachedFloor], [[`${old}:pending`], true]);
    const late = panel.add({ createdAt: made(39_990), action: "not listed yet" });
    for (let place = 0; place < 500; place++) panel.add({ createdAt: made(40_000) });
    panel.asked.length = 0;
    await clock.advance(10 * second);
    panel.change(late, { action: "restore" });
    await clock.advance(20 * second);
    assert.deepEqual(watch.heard, [`${old}:pending`, `${late}:pending`]);
    assert.ok(watch.ticks.every(({ reachedFloor }) => reachedFloor));
    assert.ok(panel.asked.length / (watch.ticks.length - 1) <= 17, String(panel.asked.length));
  });
});
