import assert from "node:assert/strict";
import { Semaphore } from "../../provider/plain/semaphore";
import { type MayContinue, OutOfTime, MachineQueues, withPlace, withTimeLimit } from "../../provider/restore/turn";
import { settle, VirtualClock } from "../support/virtual-clock";

const never = new AbortController().signal;

function going() {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return {
    ended,
    end: () => {
      end();
    },
    fail: () => {
      fail(new Error("odd"));
    },
  };
}

describe("a machine's queue", () => {
  it("lets fifty restores through one at a time, in order of arrival, and is then free", async () => {
    const queues = new MachineQueues();
    const order: number[] = [];
    let inside = 0;
    const numbers = [...Array(50).keys()];
    await Promise.all(
      numbers.map((number) =>
        withPlace(queues.of("42"), new AbortController().signal, async () => {
          assert.equal(++inside, 1);
          order.push(number);
          await settle(1);
          inside--;
          return {};
        }),
      ),
    );
    assert.deepEqual(order, numbers);
    await settle();
    assert.equal(queues.of("42").isFull, false);
  });
});

describe("the slots of maxConcurrent", () => {
  it("are occupied until the work ends or throws", async () => {
    for (const how of ["end", "fail"] as const) {
      const places = new Semaphore(1);
      const work = going();
      await withPlace(places, never, () => Promise.resolve({ ended: work.ended } satisfies MayContinue));
      assert.equal(places.isFull, true);
      work[how]();
      await settle();
      assert.equal(places.isFull, false);
    }
    const places = new Semaphore(1);
    await assert.rejects(
      withPlace(places, never, () => Promise.reject(new Error("odd"))),
      /odd/,
    );
    assert.equal(places.isFull, false);
  });
});

describe("waiting with a time limit", () => {
  it("ends when the time is over, and never leaves a timer behind", async () => {
    const clock = new VirtualClock();
    const queues = new MachineQueues();
    const first = going();
    void withPlace(queues.of("42"), never, () => first.ended.then(() => ({})));
    const entering = () =>
      withTimeLimit(clock, clock.now() + 1000, (signal) =>
        withPlace(queues.of("42"), signal, () => Promise.resolve({})),
      );
    await assert.rejects(clock.run(entering()), OutOfTime);
    assert.equal(clock.pending, 0);
    const inTime = entering();
    first.end();
    await inTime;
    assert.equal(clock.pending, 0);
  });
});
