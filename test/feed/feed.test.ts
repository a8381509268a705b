import assert from "node:assert/strict";
import { Feed } from "../../provider/feed/feed";
import { WatchedClock } from "../../provider/feed/watched-clock";
import { answer, inProcess } from "../panel/support/clients";

it("a mark is taken even if an outage of five minutes begins just before, but only if the list was read earlier", async () => {
  let isDown = false;
  const { client, clock } = inProcess(() => (isDown ? answer(502) : answer(200, '[{"id":1,"status":"complete"}]')));
  const begin = (): void => {
    isDown = true;
    clock.after(300_000, () => (isDown = false));
  };
  const access = { client, clock: new WatchedClock(clock), random: () => 0, pageSize: 100, requestTimeoutMs: 30_000 };
  const feed = new Feed(access);
  begin();
  await assert.rejects(clock.run(feed.readSurely({})));
  await clock.advance(300_000);
  await clock.run(feed.readSurely({}));
  begin();
  assert.deepEqual((await clock.run(feed.readSurely({}))).mark.ended, ["1"]);
});
