import assert from "node:assert/strict";
import { answer, inProcess } from "../panel/support/clients";
import { createSession } from "../support/session";

it("a mark is taken even if an outage of five minutes begins just before, but only if the list was read earlier", async () => {
  let isDown = false;
  const { client, clock } = inProcess(() => (isDown ? answer(502) : answer(200, '[{"id":1,"status":"complete"}]')));
  const begin = (): void => {
    isDown = true;
    clock.after(300_000, () => (isDown = false));
  };
  const { feed } = createSession({ client, clock });
  begin();
  await assert.rejects(clock.run(feed.readSurely({})));
  await clock.advance(300_000);
  await clock.run(feed.readSurely({}));
  begin();
  assert.deepEqual((await clock.run(feed.readSurely({}))).mark.ended, ["1"]);
});
