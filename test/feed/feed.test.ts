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
    assert.deepEqual(watch.heard, [`${id}:pending`]);

    panel.change(id, { status: "running" });
    await clock.advance(10_000);
    assert.deepEqual(watch.heard, [`${id}:pending`, `${id}:running`]);

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
    assert.ok(watches.every((watch) => watch.heard.length === 1));
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
    assert.equal(watch.heard.length, 12);
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
    assert.deepEqual(joined.heard, [`${id}:pending`]);
  });

  it("goes on for the others when a watch throws, whatever it was asked", async () => {
    const thrown: unknown[] = [];
    const { clock, panel, feed } = feedOn({ onWatchError: (error) => thrown.push(error) });
    const id = panel.add();
    const fails = (): never => {
      throw new Error("broken watch");
    };
    feed.watch({ floor: fails, wants: fails, onTick: fails, onTrouble: fails, urgency: fails });
    const healthy = new Recorder({ ids: [id] });
    feed.watch(healthy);
    await clock.advance(3_000);
    assert.deepEqual(healthy.heard, [`${id}:pending`]);
    panel.failures.push(new Error("reset"));
    await clock.advance(15_000);
    assert.equal(healthy.troubles.length, 1);
    assert.ok(thrown.length > 3);
  });

  describe("once restores end that were asked for together", () => {
    /** Forty waits of more than a minute's age, begun one after the other or all at once; one ends every `everyMs`, from the middle of a pause on. When the panel was asked since. */
    async function looks(
      everyMs: number,
      { apartMs = 0, intoPauseMs = 5_000 } = {},
    ): Promise<{ readonly asked: readonly number[]; readonly lastLagMs: number }> {
      const { clock, panel, feed } = feedOn({ pageSize: 100 });
      const ids = panel.addMany(40, { status: "running" });
      let lastHeardAt = Number.NaN;
      for (const id of ids) {
        const watch = new Recorder({ ids: [id] });
        watch.urgencyNow = "young";
        await clock.advance(apartMs);
        const watching = feed.watch(watch);
        watch.then = () => {
          if (!watch.heard.includes(`${id}:complete`)) return;
          lastHeardAt = clock.now();
          queueMicrotask(() => {
            watching.close();
            // Whoever has waited for the end goes on at once, with a read of its own.
            void feed.head();
          });
        };
      }
      await clock.advance(80_000);
      await clock.advance(panel.asked.at(-1)!.at + 10_000 + intoPauseMs - clock.now());
      const began = clock.now();
      panel.asked.length = 0;
      for (const id of ids) {
        panel.change(id, { status: "complete" });
        await clock.advance(everyMs);
      }
      const lastEnd = clock.now() - everyMs;
      await clock.advance(20_000);
      assert.equal(clock.pending, 0);
      return { asked: panel.asked.map(({ at }) => at - began), lastLagMs: lastHeardAt - lastEnd };
    }

    it("looks every two seconds until all have ended", async () => {
      const { asked, lastLagMs } = await looks(200);
      assert.ok(lastLagMs <= 2_100, String(lastLagMs));
      assert.ok(asked.length <= 8, asked.join(", "));
    });

    it("looks every two seconds from the first end on where they were asked for one after the other", async () => {
      // The next regular look comes when the first few have ended.
      const { asked, lastLagMs } = await looks(100, { apartMs: 100, intoPauseMs: 9_600 });
      assert.ok(lastLagMs <= 2_100, String(lastLagMs));
      assert.ok(asked.length <= 8, asked.join(", "));
    });

    it("looks no more often than ever while they end one by one", async () => {
      const { asked } = await looks(10_000);
      assert.ok(asked.length <= 82, String(asked.length));
    });
  });
});
