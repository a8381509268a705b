import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import { feedOn } from "./support/feed-on";
import { Recorder } from "./support/recorder";

const pagesAsked = (asked: readonly { readonly page: number }[]): number[] => asked.map(({ page }) => page);

describe("the shared walk", () => {
  it("gives a new watch an early look, then keeps looking until it leaves", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    const watch = new Recorder({ ids: [id] });
    const watching = feed.watch(watch);
    await clock.advance(1_000);
    assert.deepEqual(watch.heardOf(id), ["pending"]);

    panel.change(id, { status: "running" });
    await clock.advance(10_000);
    assert.deepEqual(watch.heardOf(id), ["pending", "running"]);

    watching.close();
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

  it("reads the list once for all watches, down to the lowest floor and no further", async () => {
    const { clock, panel, feed } = feedOn({ pageSize: 10 });
    const ids = panel.addMany(60);
    const watches = ids.slice(20).map((id) => new Recorder({ ids: [id] }));
    for (const watch of watches) feed.watch(watch);
    await clock.advance(400);
    assert.deepEqual(pagesAsked(panel.asked), [1, 2, 3, 4]);
    assert.ok(watches.every((watch) => watch.last.length === 1));
    assert.ok(watches.every((watch) => watch.ticks[0]?.reachedFloor));
  });

  it("asks for one page when all that is awaited is on it", async () => {
    const { clock, panel, feed } = feedOn();
    panel.addMany(50);
    const [mark, ours] = [panel.add(), panel.add()];
    feed.watch(new Recorder({ above: mark }));
    feed.watch(new Recorder({ ids: [ours] }));
    await clock.advance(400);
    assert.deepEqual(pagesAsked(panel.asked), [1]);
  });

  it("has one walk in flight at most, however slow the panel and however many hurry", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 3_000;
    const ids = panel.addMany(40);
    const watchings = ids.map((id) => feed.watch(new Recorder({ ids: [id] })));
    for (let second = 0; second < 120; second++) {
      for (const watching of watchings) watching.hurry();
      void feed.head();
      await clock.advance(1_000);
    }
    assert.equal(panel.mostInFlight, 1);
    for (const watching of watchings) watching.close();
    await clock.advance(10_000);
    assert.equal(clock.pending, 0);
  });

  it("makes one look of many hurried ones", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    const watchings = Array.from({ length: 30 }, () => feed.watch(new Recorder({ ids: [id] })));
    for (const watching of watchings) watching.hurry();
    await clock.advance(450);
    assert.equal(panel.asked.length, 1);
  });

  it("gives a watch that comes during a walk a look of its own, not the end of that walk", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 1_000;
    const first = panel.add();
    feed.watch(new Recorder({ ids: [first] }));
    await clock.advance(500);
    assert.equal(panel.inFlight, 1);
    const late = new Recorder({}, () => true);
    const startedAt = clock.now();
    feed.watch(late);
    await clock.advance(4_000);
    assert.ok(late.ticks.length > 0);
    assert.ok(late.ticks.every(({ head }) => head.readAt >= startedAt));
  });

  it("ends its request when the last watch leaves in the middle of a walk", async () => {
    const { clock, panel, feed } = feedOn();
    panel.answerMs = 5_000;
    const watch = new Recorder({});
    const watching = feed.watch(watch);
    await clock.advance(1_000);
    assert.equal(panel.inFlight, 1);
    watching.close();
    await clock.advance(0);
    assert.equal(panel.inFlight, 0);
    assert.equal(clock.pending, 0);
    assert.equal(watch.troubles.length, 0);
  });

  it("stops at the oldest awaited row when one that is awaited is gone", async () => {
    const { clock, panel, feed } = feedOn();
    const ids = panel.addMany(200);
    const gone = ids[165]!;
    panel.remove(gone);
    const watch = new Recorder({ ids: [gone] });
    feed.watch(watch);
    await clock.advance(400);
    assert.deepEqual(pagesAsked(panel.asked), [1, 2, 3, 4]);
    assert.equal(watch.ticks[0]?.reachedFloor, true);
  });

  it("goes no deeper than its limit where ids do not compare and the awaited row is gone", async () => {
    const { clock, panel, feed } = feedOn({ maxPages: 5 });
    for (let row = 0; row < 200; row++) panel.add({}, `x${String(row)}y`);
    const watch = new Recorder({ ids: ["gone" as TransactionId] });
    feed.watch(watch);
    await clock.advance(400);
    assert.deepEqual(pagesAsked(panel.asked), [1, 2, 3, 4, 5]);
    assert.equal(watch.ticks[0]?.reachedFloor, false);
  });

  it("takes the end of the list for the floor", async () => {
    const { clock, panel, feed } = feedOn();
    panel.addMany(12);
    const watch = new Recorder({ aboveNothing: true }, () => true);
    feed.watch(watch);
    await clock.advance(400);
    assert.equal(watch.last.length, 12);
    assert.equal(watch.ticks[0]?.reachedFloor, true);
  });

  it("lets watches leave and join from within a tick", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    const second = new Recorder({ ids: [id] });
    const joined = new Recorder({ ids: [id] });
    const first = new Recorder({ ids: [id] });
    const watchings = [feed.watch(first), feed.watch(second)];
    first.then = () => {
      for (const watching of watchings) watching.close();
      if (joined.ticks.length === 0) feed.watch(joined);
    };
    await clock.advance(5_000);
    assert.equal(first.ticks.length, 1);
    assert.equal(second.ticks.length, 0);
    assert.deepEqual(joined.last, [`${id}:pending`]);
  });

  it("goes on for the others when a watch throws, whatever it was asked", async () => {
    const thrown: unknown[] = [];
    const { clock, panel, feed } = feedOn({ onWatchError: (error) => thrown.push(error) });
    const id = panel.add();
    const fails = (): never => {
      throw new Error("broken watch");
    };
    feed.watch({ floor: fails, wants: fails, onTick: fails, onTrouble: fails, since: fails });
    const healthy = new Recorder({ ids: [id] });
    feed.watch(healthy);
    await clock.advance(3_000);
    assert.deepEqual(healthy.last, [`${id}:pending`]);
    panel.failures.push(new Error("reset"));
    await clock.advance(15_000);
    assert.equal(healthy.troubles.length, 1);
    assert.ok(thrown.length > 3);
  });

  it("tells every wanted row each time, newest first, also those heard of before", async () => {
    const { clock, panel, feed } = feedOn();
    const mark = panel.add();
    const ids = panel.addMany(15);
    const watch = new Recorder({ above: mark }, ({ id }) => id !== ids[3]);
    feed.watch(watch);
    await clock.advance(25_000);
    const wanted = [...ids.filter((id) => id !== ids[3]).reverse(), mark].map((id) => `${id}:pending`);
    assert.deepEqual(watch.told, [wanted, wanted, wanted]);
  });

  it("says whether the mark was reached, and whether all of it was so at one moment", async () => {
    const { clock, panel, feed } = feedOn();
    const mark = panel.add();
    const [ours] = panel.addMany(8);
    const marked = new Recorder({ above: mark, ids: [ours!], needs: "ids" });
    const known = new Recorder({ ids: [ours!] });
    for (const watch of [marked, known]) feed.watch(watch);
    const said = ({ ticks }: Recorder): unknown[] => {
      const { reachedFloor, reachedMark, atOnce } = ticks.at(-1)!;
      return [reachedFloor, reachedMark, atOnce];
    };
    await clock.advance(1_000);
    assert.deepEqual(
      [said(marked), said(known)],
      [
        [true, true, true],
        [true, false, true],
      ],
    );
    const newer = panel.addMany(15).slice(-1);
    for (const watch of [marked, known]) watch.floorNow = { ...watch.floorNow, ids: newer };
    await clock.advance(10_000);
    assert.deepEqual(
      [said(marked), said(known)],
      [
        [true, false, true],
        [true, false, true],
      ],
    );
    marked.floorNow = { ...marked.floorNow, needs: "mark" };
    await clock.advance(10_000);
    assert.deepEqual(
      [said(marked), said(known)],
      [
        [true, true, false],
        [true, false, false],
      ],
    );
  });

  it("looks quickly after what is awaited has begun, and again when it begins anew", async () => {
    const { clock, panel, feed } = feedOn({ random: () => 0 });
    const watch = new Recorder({ ids: [panel.add()] });
    watch.sinceNow = clock.now();
    const watching = feed.watch(watch);
    const looks = async (ms: number): Promise<number[]> => {
      const from = clock.now();
      panel.asked.length = 0;
      await clock.advance(ms);
      return panel.asked.map(({ at }) => at - from);
    };
    const quick = (await looks(60_000)).map((ms) => Math.round(ms / 100) / 10);
    assert.deepEqual(quick, [0.2, 2.2, 4.3, 8.6, 17.2, 27.2, 37.1, 47.1, 57]);
    watch.sinceNow = clock.now();
    watching.hurry();
    assert.ok((await looks(20_000)).length >= 4);
  });

  it("looks quickly after a wait has ended: what was asked for together ends together", async () => {
    const { clock, panel, feed } = feedOn({ random: () => 0 });
    const [first, second] = [new Recorder({ ids: [panel.add()] }), new Recorder({ ids: [panel.add()] })];
    const ended = feed.watch(first);
    feed.watch(second);
    await clock.advance(120_000);
    const ticks = first.ticks.length;
    first.then = () => {
      ended.close();
    };
    while (first.ticks.length === ticks) await clock.advance(100);
    const from = clock.now();
    panel.asked.length = 0;
    await clock.advance(10_000);
    assert.deepEqual(
      panel.asked.map(({ at }) => Math.round((at - from) / 1_000)),
      [2, 4, 8],
    );
  });

  it("is told by ids that a row is not listed only where the list is newest first", async () => {
    const { clock, panel, feed } = feedOn();
    const stamp = (minutes: number): string =>
      new Date(Date.parse("2026-11-21T10:00:00Z") + minutes * 60_000).toISOString();
    const ours = panel.add({ createdAt: stamp(2) }, "50");
    for (let row = 0; row < 20; row++)
      panel.add({ createdAt: stamp(row % 2 === 0 ? 1 : 5) }, String(row % 2 === 0 ? 40 - row : 90 + row));
    const watch = new Recorder({ ids: [ours] });
    feed.watch(watch);
    await clock.advance(1_000);
    assert.deepEqual(watch.last, ["50:pending"]);
  });
});
