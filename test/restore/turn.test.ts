import assert from "node:assert/strict";
import { Semaphore } from "../../provider/plain/semaphore";
import { MachineQueues, withPlace } from "../../provider/restore/turn";
import { settle } from "../support/virtual-clock";

const never = new AbortController().signal;

it("a machine's queue lets only one restore through at a time, and is free afterwards", async () => {
  const queues = new MachineQueues();
  let inside = 0;
  const restored = Array.from({ length: 50 }, () =>
    withPlace(queues.of("42"), never, async () => {
      assert.equal(++inside, 1);
      await settle(1);
      inside--;
      return {};
    }),
  );
  await Promise.all(restored);
  await settle();
  assert.equal(queues.of("42").isFull, false);
});

describe("the slots of maxConcurrent", () => {
  for (const isError of [false, true])
    it(`are occupied until the work in the background ${isError ? "fails" : "ends"}`, async () => {
      const places = new Semaphore(1);
      const ended = settle().then(() => (isError ? Promise.reject(new Error("odd")) : undefined));
      await withPlace(places, never, () => Promise.resolve({ ended }));
      assert.equal(places.isFull, true);
      await ended.catch(() => undefined);
      await settle();
      assert.equal(places.isFull, false);
    });

  it("are freed if the work throws", async () => {
    const places = new Semaphore(1);
    await assert.rejects(
      withPlace(places, never, () => Promise.reject(new Error("odd"))),
      /odd/,
    );
    assert.equal(places.isFull, false);
  });
});
