import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import { feedOn, type FeedScene } from "./support/feed-on";
import { Recorder } from "./support/recorder";

/** Restores among other rows, all of them met by a scan. */
async function met(scene: FeedScene, count: number, apart = 0): Promise<TransactionId[]> {
  const { clock, panel, feed } = scene;
  panel.addMany(30);
  const ids: TransactionId[] = [];
  for (let restore = 0; restore < count; restore++) {
    ids.push(panel.add({ logOutput: `log of ${String(restore)}` }));
    panel.addMany(apart);
  }
  const subscription = feed.subscribe(new Recorder({ awaitedIds: ids }));
  await clock.advance(1_000);
  subscription.close();
  panel.asked.length = 0;
  return ids;
}

describe("the log of a row", () => {
  it("takes one detailed request for the page on which it was met", async () => {
    const scene = feedOn();
    const [id] = await met(scene, 1, 15);
    assert.equal(await scene.clock.run(scene.feed.logOutput(id!)), "log of 0");
    const asked = scene.panel.asked.map(({ page, perPage, detailed }) => ({ page, perPage, detailed }));
    assert.deepEqual(asked, [{ page: 2, perPage: 10, detailed: true }]);
    assert.equal(scene.clock.pending, 0);
  });

  it("shares its request with others on that page", async () => {
    const scene = feedOn();
    const ids = await met(scene, 6);
    scene.panel.answerMs = 50;
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

  it("is found far down, where the scan went straight to it", async () => {
    const scene = feedOn();
    const ids = await met(scene, 4, 178);
    const logs = await scene.clock.run(Promise.all(ids.map((id) => scene.feed.logOutput(id))));
    assert.deepEqual(logs, ["log of 0", "log of 1", "log of 2", "log of 3"]);
    assert.equal(scene.panel.asked.length, 4);
  });

  it("is undefined for a row that no scan has met, without a request", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add({ logOutput: "not met" });
    assert.equal(await clock.run(feed.logOutput(id)), undefined);
    assert.equal(panel.asked.length, 0);
  });

  it("is undefined when the row is not on that page, or the panel does not answer", async () => {
    const scene = feedOn();
    const [first, second] = await met(scene, 2);
    scene.panel.remove(first!);
    assert.equal(await scene.clock.run(scene.feed.logOutput(first!)), undefined);
    scene.panel.failures.push(new Error("502"));
    assert.equal(await scene.clock.run(scene.feed.logOutput(second!)), undefined);
    assert.equal(await scene.clock.run(scene.feed.logOutput(second!)), "log of 1", "asked again, it is read again");
  });
});
