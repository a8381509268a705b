import assert from "node:assert/strict";
import { VirtualClock } from "./virtual-clock";

describe("VirtualClock", () => {
  it("runs timers in order of time and lets promises run between them", async () => {
    const clock = new VirtualClock({ startAt: 0 });
    const seen: string[] = [];
    clock.after(20, () => seen.push(`b at ${String(clock.now())}`));
    clock.after(10, () => {
      void Promise.resolve().then(() => seen.push(`after a at ${String(clock.now())}`));
      seen.push("a");
    });
    await clock.advance(30);
    assert.deepEqual(seen, ["a", "after a at 10", "b at 20"]);
    assert.equal(clock.now(), 30);
    assert.equal(clock.pending, 0);
  });

  it("says so when nothing is left that could settle a promise", async () => {
    const clock = new VirtualClock({ startAt: 0 });
    await assert.rejects(clock.run(new Promise(() => undefined)), /no timer left/);
  });
});
