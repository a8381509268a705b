import assert from "node:assert/strict";
import { ServerError } from "../../provider/panel/errors";
import { readNumberedPage } from "../../provider/feed/numbered-page";
import type { TransactionId } from "../../provider/panel/types";
import { VirtualClock } from "../support/virtual-clock";
import { feedOn } from "./support/feed-on";
import { ListPanel } from "./support/list-panel";
import { Recorder } from "./support/recorder";

const failed = (status: number): Error =>
  new ServerError({ address: "http://panel.test", method: "GET", path: "/transactions.json", status });

describe("a panel that fails over a page number", () => {
  const panelOf = (): ListPanel => {
    const panel = new ListPanel(new VirtualClock());
    panel.addMany(25);
    return panel;
  };
  const read = (panel: ListPanel, page: number): Promise<readonly unknown[]> => readNumberedPage(panel, { page }, {});

  it("has such a page when it gives it a moment later", async () => {
    const panel = panelOf();
    panel.failures.push(failed(500));
    assert.equal((await read(panel, 3)).length, 5);
  });

  it("has no such page when it fails over it again, and not over the first one", async () => {
    const panel = panelOf();
    panel.beforePage = () => {
      if ((panel.asked.at(-1)?.page ?? 0) > 3) throw failed(500);
    };
    assert.deepEqual(await read(panel, 4), []);
    assert.deepEqual(
      panel.asked.map(({ page }) => page),
      [4, 1, 4],
    );
  });

  for (const status of [500, 501]) {
    it(`says nothing when it fails over every page, ${String(status)}`, async () => {
      const panel = panelOf();
      panel.down = failed(status);
      await assert.rejects(read(panel, 4), ServerError);
    });
  }

  it("says nothing when its first page is empty in between", async () => {
    const panel = panelOf();
    panel.beforePage = (request) => {
      if (request === 1) throw failed(500);
      panel.keep(0);
    };
    await assert.rejects(read(panel, 3), ServerError);
  });

  it("says nothing by another failure", async () => {
    const panel = panelOf();
    panel.down = failed(503);
    await assert.rejects(read(panel, 4), ServerError);
    assert.equal(panel.asked.length, 1);
  });

  for (let broken = 1; broken <= 12; broken++) {
    it(`hides no row that is awaited far down by a failure of request ${String(broken)}`, async () => {
      const { clock, panel, feed } = feedOn();
      // Ids with gaps lead astray, so that a page is read right below the one before.
      panel.addMany(1000);
      for (let gone = 40; gone < 400; gone++) panel.remove(String(gone) as TransactionId);
      panel.beforePage = (request) => {
        if (request === broken) throw failed(500);
      };
      const id = "7" as TransactionId;
      const recorder = new Recorder({ ids: [id] });
      const watching = feed.watch(recorder);
      await clock.advance(400);
      watching.close();
      const [tick] = recorder.ticks;
      assert.ok(tick === undefined || (tick.reachedFloor && recorder.heardOf(id).length === 1));
    });
  }
});
