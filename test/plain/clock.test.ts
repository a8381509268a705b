import assert from "node:assert/strict";
import { systemClock } from "../../provider/plain/clock";

describe("the system's clock", () => {
  const hour = 3_600_000;
  const real = Date.now;
  afterEach(() => {
    Date.now = real;
  });

  for (const [way, byMs] of [
    ["back", -hour],
    ["forward", hour],
  ] as const) {
    it(`goes on as before when the wall clock is set ${way}`, () => {
      const before = systemClock.now();
      Date.now = () => real() + byMs;
      const passed = systemClock.now() - before;
      assert.ok(passed >= 0 && passed < 10_000, String(passed));
    });
  }

  it("counts whole milliseconds, so that a limit is told as it was given", () => {
    for (let i = 0; i < 100; i++) assert.ok(Number.isInteger(systemClock.now()));
  });

  it("fires a timer by the time that waits go by", async () => {
    const began = systemClock.now();
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    assert.ok(systemClock.now() - began >= 18);
  });

  it("tells the wall clock's time for stamps", () => {
    assert.ok(Math.abs(systemClock.wallTime().getTime() - real()) < 10_000);
  });
});
