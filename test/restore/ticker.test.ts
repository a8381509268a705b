import assert from "node:assert/strict";
import { Ticker } from "../../provider/restore/ticker";
import { VirtualClock } from "../support/virtual-clock";

const second = 1000;

describe("a heartbeat", () => {
  let clock: VirtualClock;
  let said: string[];
  let ticker: Ticker;
  const at = (): string => String(clock.now() / second);
  beforeEach(() => {
    clock = new VirtualClock({ startAt: 0 });
    said = [];
    ticker = new Ticker(clock, (text) => said.push(text));
  });

  it("says news at once, and the same ever more rarely, in the words of the moment", async () => {
    ticker.report("queued", () => `queued ${at()}`);
    await clock.advance(1_000 * second);
    assert.deepEqual(said, ["queued 0", "queued 30", "queued 90", "queued 210", "queued 450", "queued 750"]);
  });

  it("takes another text for no news, and another topic for news that begins it anew", async () => {
    ticker.report("queued", () => `queued ${at()}`);
    await clock.advance(100 * second);
    ticker.report("queued", () => "queued, in other words");
    ticker.report("running", () => `running ${at()}`);
    await clock.advance(31 * second);
    assert.deepEqual(said, ["queued 0", "queued 30", "queued 90", "running 100", "running 130"]);
  });

  it("waits for something to say, and goes on where there is nothing for a while", async () => {
    let text: string | undefined;
    ticker.report("a", () => text);
    assert.equal(clock.pending, 0);
    text = "first";
    ticker.report("a", () => text);
    text = undefined;
    await clock.advance(40 * second);
    text = "second";
    await clock.advance(60 * second);
    assert.deepEqual(said, ["first", "second"]);
  });

  it("leaves no timer when it is stopped", () => {
    ticker.report("a", () => "a");
    ticker.stop();
    assert.equal(clock.pending, 0);
  });
});
