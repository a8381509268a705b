import assert from "node:assert/strict";
import { ServerError } from "../../provider/panel/errors";
import { feedOn } from "./support/feed-on";
import { Recorder } from "./support/recorder";

describe("a panel that is failing", () => {
  it("ends no wait: each subscriber is told, and reads go on when the panel is back", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    const subscriber = new Recorder({ awaitedIds: [id] });
    feed.subscribe(subscriber);
    await clock.advance(3_000);
    panel.down = new Error("503");
    await clock.advance(60_000);
    assert.ok(subscriber.failures.length >= 3);
    assert.deepEqual(
      subscriber.failures.map(({ failuresInARow: inARow }) => inARow),
      subscriber.failures.map((_, index) => index + 1),
    );
    panel.down = undefined;
    panel.change(id, { status: "complete" });
    await clock.advance(30_000);
    assert.deepEqual(subscriber.statusesOf(id), ["pending", "complete"]);
  });

  it("is over once per outage, however many wait and however many reads failed", async () => {
    const said: string[] = [];
    const { clock, panel, feed } = feedOn({
      onRecovered: ({ failures, lastedMs }) => said.push(`back after ${String(failures)}, ${String(lastedMs > 0)}`),
    });
    for (let wait = 0; wait < 5; wait++) feed.subscribe(new Recorder({ awaitedIds: [panel.add()] }));
    await clock.advance(3_000);
    for (const outage of ["first", "second"]) {
      panel.failures.push(new Error(outage), new Error(outage), new Error(outage));
      await clock.advance(120_000);
    }
    assert.deepEqual(said, ["back after 3, true", "back after 3, true"]);
  });

  it("is asked less and less often, not more often because of new waits", async () => {
    const { clock, panel, feed } = feedOn();
    const id = panel.add();
    feed.subscribe(new Recorder({ awaitedIds: [id] }));
    await clock.advance(1_000);
    panel.down = new Error("503");
    for (let second = 0; second < 300; second++) {
      const newcomer = new Recorder({ awaitedIds: [id] });
      newcomer.awaitedSinceNow = clock.now();
      feed.subscribe(newcomer).readSoon();
      await clock.advance(1_000);
    }
    assert.ok(panel.asked.length < 25, String(panel.asked.length));
  });

  it("leaves no half-read scan behind: rows seen before the failing page are delivered with the next scan", async () => {
    const { clock, panel, feed } = feedOn();
    const ids = panel.addMany(30);
    const subscriber = new Recorder({ awaitedIds: [ids[0]!, ids[29]!] });
    panel.beforePage = (request) => {
      if (request === 2) throw new Error("truncated body");
    };
    feed.subscribe(subscriber);
    await clock.advance(300);
    assert.deepEqual(subscriber.deliveries, []);
    assert.equal(subscriber.failures.length, 1);
    await clock.advance(20_000);
    assert.deepEqual(subscriber.lastDelivery, [`${ids[29]!}:pending`, `${ids[0]!}:pending`]);
  });

  it("is given as long as it asks for", async () => {
    const { clock, panel, feed } = feedOn();
    const subscriber = new Recorder({ awaitedIds: [panel.add()] });
    subscriber.awaitedSinceNow = clock.now();
    feed.subscribe(subscriber);
    const path = { address: "http://panel.test", method: "GET", path: "/transactions.json", status: 503 };
    panel.failures.push(new ServerError(path, 9_000));
    await clock.advance(9_100);
    assert.equal(panel.asked.length, 1);
    await clock.advance(100);
    assert.equal(panel.asked.length, 2);
  });
});
