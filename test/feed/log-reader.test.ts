import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import { feedOn, type FeedScene } from "./support/feed-on";
import { Recorder } from "./support/recorder";

/** Restores among other rows, all of them seen by a tick and then ended. */
async function ended(scene: FeedScene, count: number, apart = 0): Promise<TransactionId[]> {
  const { clock, panel, feed } = scene;
  panel.addMany(30);
  const ids: TransactionId[] = [];
  for (let restore = 0; restore < count; restore++) {
    ids.push(panel.add());
    panel.change(ids[restore]!, { logOutput: `log of ${String(restore)}` });
    panel.addMany(apart);
  }
  const watch = new Recorder({ ids });
  const watching = feed.watch(watch);
  await clock.advance(1_000);
  watching.close();
  panel.asked.length = 0;
  return ids;
}

describe("the log of an ended restore", () => {
  it("is found with one small page", async () => {
    const scene = feedOn();
    const [id] = await ended(scene, 1);
    assert.equal(await scene.clock.run(scene.feed.logOutput(id!)), "log of 0");
    assert.equal(scene.panel.asked.length, 1);
    assert.equal(scene.panel.asked[0]?.detailed, true);
    assert.ok(scene.panel.asked[0].perPage < 10);
    assert.equal(scene.clock.pending, 0);
  });

  it("shares its request with those that ended in the same tick, however their turns fall", async () => {
    const scene = feedOn({ pageSize: 20 });
    const ids = await ended(scene, 6);
    const logs = ids.map(async (id, turn) => {
      for (let step = 0; step < turn; step++) await Promise.resolve();
      return scene.feed.logOutput(id);
    });
    assert.deepEqual(
      await scene.clock.run(Promise.all(logs)),
      ids.map((_, index) => `log of ${String(index)}`),
    );
    assert.equal(scene.panel.asked.length, 1);
  });

  it("takes at most one request per restore when they lie far apart", async () => {
    const scene = feedOn();
    const ids = await ended(scene, 4, 78);
    const logs = await scene.clock.run(Promise.all(ids.map((id) => scene.feed.logOutput(id))));
    assert.equal(logs.filter((log) => log !== undefined).length, 4);
    assert.equal(scene.panel.asked.length, 4);
  });

  it("is found though rows came above it since, as many as this panel gets", async () => {
    const scene = feedOn();
    const { clock, panel, feed } = scene;
    const id = panel.add({ logOutput: "moved" });
    const watching = feed.watch(new Recorder({ ids: [id] }));
    for (let second = 0; second < 40; second++) {
      panel.addMany(2);
      await clock.advance(1_000);
    }
    watching.close();
    panel.addMany(3);
    panel.asked.length = 0;
    assert.equal(await clock.run(feed.logOutput(id)), "moved");
    assert.equal(panel.asked.length, 1);
  });

  it("is found by halving where more rows came above it than could be foreseen", async () => {
    const scene = feedOn();
    const [id] = await ended(scene, 1, 40);
    scene.panel.addMany(5_000);
    scene.panel.asked.length = 0;
    assert.equal(await scene.clock.run(scene.feed.logOutput(id!)), "log of 0");
    assert.ok(scene.panel.asked.length <= 12, scene.panel.asked.map(({ page }) => page).join(" "));
    assert.ok(scene.panel.asked.every(({ detailed, perPage }) => detailed && perPage === 10));
  });

  it("is undefined for a row that no tick has seen, without a request", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add({ logOutput: "unseen" });
    assert.equal(await clock.run(feed.logOutput(id)), undefined);
    assert.equal(panel.asked.length, 0);
  });

  it("is undefined when the row has gone or the panel does not answer", async () => {
    const scene = feedOn();
    const [first, second] = await ended(scene, 2);
    scene.panel.remove(first!);
    assert.equal(await scene.clock.run(scene.feed.logOutput(first!)), undefined);
    scene.panel.failures.push(new Error("502"));
    assert.equal(await scene.clock.run(scene.feed.logOutput(second!)), undefined);
  });

  it("is given up by its signal, with its timer and its request", async () => {
    const scene = feedOn();
    const [id] = await ended(scene, 1);
    scene.panel.answerMs = 5_000;
    for (const leaveAfterMs of [0, 1_000]) {
      const controller = new AbortController();
      const log = scene.feed.logOutput(id!, { signal: controller.signal });
      await scene.clock.advance(leaveAfterMs);
      controller.abort();
      assert.equal(await log, undefined);
      await scene.clock.advance(0);
      assert.equal(scene.panel.inFlight, 0);
      assert.equal(scene.clock.pending, 0);
    }
  });
});
