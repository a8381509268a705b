import assert from "node:assert/strict";
import fc from "fast-check";
import { Claims } from "../../provider/restore/panel-session";
import {
  type MayContinue,
  OutOfTime,
  MachineQueues,
  sayWhileWaiting,
  RestoreSlots,
  withTimeLimit,
} from "../../provider/restore/turn";
import { settle, VirtualClock } from "../support/virtual-clock";

const never = new AbortController().signal;

/** Something that goes on until a test ends it. */
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

describe("the queue of a machine", () => {
  it("lets fifty through one at a time, in the order in which they came, and is gone then", async () => {
    const queues = new MachineQueues();
    const order: number[] = [];
    let inside = 0;
    const numbers = [...Array(50).keys()];
    await Promise.all(
      numbers.map((number) =>
        queues.inTurn("42", new AbortController().signal, async () => {
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
    assert.equal(queues.isTaken("42"), false);
  });

  it("is one per machine", async () => {
    const queues = new MachineQueues();
    const first = going();
    void queues.inTurn("42", never, () => first.ended.then(() => ({})));
    assert.deepEqual([queues.isTaken("42"), queues.isTaken("43")], [true, false]);
    await queues.inTurn("43", never, () => Promise.resolve({}));
  });

  it("hands back what the work comes to at once, and goes on with the next one when that has ended", async () => {
    for (const how of ["end", "fail"] as const) {
      const queues = new MachineQueues();
      const first = going();
      const done = await queues.inTurn("42", never, () => Promise.resolve({ said: "listed", ended: first.ended }));
      assert.equal(done.said, "listed");
      let isIn = false;
      const next = queues.inTurn("42", never, () => {
        isIn = true;
        return Promise.resolve({});
      });
      await settle();
      assert.deepEqual([isIn, queues.isTaken("42")], [false, true]);
      first[how]();
      await next;
    }
  });

  it("goes on when the work throws, at once or later", async () => {
    const queues = new MachineQueues();
    for (const odd of [() => Promise.reject(new Error("odd")), () => assert.fail("odd")]) {
      await assert.rejects(queues.inTurn("42", never, odd), /odd/);
      await settle();
      assert.equal(queues.isTaken("42"), false);
    }
  });

  it("is not entered early because one before gave up, nor late", async () => {
    const queues = new MachineQueues();
    const first = going();
    const gone = new AbortController();
    const order: string[] = [];
    const entering = (name: string, signal: AbortSignal) =>
      queues.inTurn("42", signal, () => {
        order.push(name);
        return Promise.resolve({});
      });
    const one = queues.inTurn("42", never, () => first.ended.then(() => ({})));
    const gaveUp = entering("second", gone.signal);
    const third = entering("third", never);
    gone.abort(new OutOfTime("out of time"));
    await assert.rejects(gaveUp, OutOfTime);
    await settle();
    assert.deepEqual(order, []);
    first.end();
    await Promise.all([one, third]);
    assert.deepEqual(order, ["third"]);
  });
});

describe("the places of maxConcurrent", () => {
  /** Takes a place, and gives it back when what it returns is ended. */
  const holding = (slots: RestoreSlots, onTaken: () => void = () => undefined, signal = never) => {
    const work = going();
    const done = slots.withPlace(async (place) => {
      await place.take(signal);
      onTaken();
      await work.ended;
      return {};
    });
    return { ...work, done };
  };

  it("are without end where no limit is set", async () => {
    const slots = new RestoreSlots(undefined);
    for (let n = 0; n < 1000; n++) slots.occupy();
    assert.equal(slots.isFull, false);
    await slots.take(never);
  });

  it("are given in the order in which they were asked for, and to nobody who comes in between", async () => {
    const slots = new RestoreSlots(1);
    const order: string[] = [];
    const taking = (name: string) => holding(slots, () => order.push(name));
    const [first, second] = [taking("first"), taking("second")];
    await settle();
    first.end();
    const third = taking("third");
    await settle();
    assert.deepEqual([order, slots.isFull], [["first", "second"], true]);
    second.end();
    third.end();
    await third.done;
    await settle();
    assert.deepEqual([order, slots.isFull], [["first", "second", "third"], false]);
  });

  it("are held once by one, and given back once", async () => {
    const slots = new RestoreSlots(2);
    await slots.withPlace(async (place) => {
      assert.equal(place.isHeld, false);
      assert.equal(place.takeIfFree(), true);
      await place.take(never);
      place.occupy();
      assert.deepEqual([place.isHeld, slots.isFull], [true, false]);
      place.giveBack();
      place.giveBack();
      assert.equal(place.isHeld, false);
      return {};
    });
    slots.occupy();
    slots.occupy();
    assert.equal(slots.isFull, true);
  });

  it("are not taken where none is free, unless for a restore that is on the panel already", async () => {
    const slots = new RestoreSlots(1);
    const first = holding(slots);
    await settle();
    await slots.withPlace((place) => {
      assert.equal(place.takeIfFree(), false);
      place.occupy();
      return Promise.resolve({});
    });
    assert.equal(slots.isFull, true, "the first one holds its place");
    first.end();
    await first.done;
    assert.equal(slots.isFull, false);
  });

  it("stay taken by what goes on until it has ended, however", async () => {
    for (const how of ["end", "fail"] as const) {
      const slots = new RestoreSlots(1);
      const work = going();
      await slots.withPlace((place) => {
        place.occupy();
        return Promise.resolve({ ended: work.ended } satisfies MayContinue);
      });
      assert.equal(slots.isFull, true);
      work[how]();
      await settle();
      assert.equal(slots.isFull, false);
    }
  });

  it("come back when the work throws", async () => {
    const slots = new RestoreSlots(1);
    const odd = slots.withPlace((place) => {
      place.occupy();
      return Promise.reject(new Error("odd"));
    });
    await assert.rejects(odd, /odd/);
    assert.equal(slots.isFull, false);
  });

  it("are not kept for one who gave up, before asking or in the very moment that one comes free", async () => {
    const slots = new RestoreSlots(1);
    slots.occupy();
    await assert.rejects(slots.take(AbortSignal.abort(new Error("out of time"))), /out of time/);
    const gone = new AbortController();
    const gaveUp = slots.take(gone.signal);
    gone.abort(new Error("out of time"));
    slots.release();
    await assert.rejects(gaveUp, /out of time/);
    assert.equal(slots.isFull, false);
  });

  it("are full as long as anybody waits, given in order, and none is lost, whatever happens meanwhile", async () => {
    const act = fc.constantFrom(
      "ask" as const,
      "ask" as const,
      "release" as const,
      "occupy" as const,
      "give up" as const,
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(act, { maxLength: 30 }), async (limit, acts) => {
        const slots = new RestoreSlots(limit);
        let held = 0;
        const line: { readonly name: number; readonly gone: AbortController }[] = [];
        const expected: number[] = [];
        const given: number[] = [];
        for (const [name, each] of acts.entries()) {
          if (each === "ask") {
            const gone = new AbortController();
            if (slots.isFull) line.push({ name, gone });
            else expected.push(name);
            slots.take(gone.signal).then(
              () => {
                held++;
                given.push(name);
              },
              () => undefined,
            );
          } else if (each === "occupy") {
            held++;
            slots.occupy();
          } else if (each === "give up") line.pop()?.gone.abort(new Error("out of time"));
          else if (held > 0) {
            if (held <= limit) expected.push(...line.splice(0, 1).map((next) => next.name));
            held--;
            slots.release();
          }
          if (line.length > 0) assert.equal(slots.isFull, true, "somebody waits, and it is not full");
          await settle(1);
        }
        assert.deepEqual(given, expected);
        assert.equal(slots.isFull, held >= limit);
      }),
      { numRuns: 100 },
    );
  });
});

describe("claims on transactions", () => {
  it("keep a transaction from everybody but who took it first", () => {
    const claims = new Claims();
    claims.claim(["5001", "5002"], "a");
    claims.claim(["5002", "5003"], "b");
    const seen = (owner: string) => ["5001", "5002", "5003", "5004"].map((id) => claims.isClaimedByAnother(id, owner));
    assert.deepEqual(seen("a"), [false, false, true, false]);
    assert.deepEqual(seen("b"), [true, true, false, false]);
    assert.deepEqual(seen("c"), [true, true, true, false]);
    assert.deepEqual([claims.otherOwnerOf("5002", "b"), claims.otherOwnerOf("5002", "a")], ["a", undefined]);
  });
});

describe("waiting within a time", () => {
  const untilAborted = (signal: AbortSignal) =>
    new MachineQueues().inTurn("42", signal, () => new Promise<MayContinue>(() => undefined));

  it("ends when the time is over, and leaves no timer either way", async () => {
    const clock = new VirtualClock();
    const queues = new MachineQueues();
    const first = going();
    void queues.inTurn("42", never, () => first.ended.then(() => ({})));
    const entering = () =>
      withTimeLimit(clock, clock.now() + 1000, (signal) => queues.inTurn("42", signal, () => Promise.resolve({})));
    await assert.rejects(clock.run(entering()), OutOfTime);
    assert.equal(clock.pending, 0);
    const inTime = entering();
    first.end();
    await inTime;
    assert.equal(clock.pending, 0);
  });

  it("waits for ever without one, and sets no timer", async () => {
    const clock = new VirtualClock();
    void withTimeLimit(clock, undefined, untilAborted);
    assert.equal(await withTimeLimit(clock, undefined, () => Promise.resolve("here")), "here");
    assert.equal(clock.pending, 0);
  });

  it("takes its timer back when the wait throws", async () => {
    const clock = new VirtualClock();
    const odd = withTimeLimit(clock, clock.now() + 1000, () => Promise.reject(new Error("odd")));
    await assert.rejects(odd, /odd/);
    assert.equal(clock.pending, 0);
  });
});

it("what is waited for is said at once and every five minutes, and no more once it has come", async () => {
  const clock = new VirtualClock({ startAt: 0 });
  const said: number[] = [];
  const wait = going();
  const done = sayWhileWaiting(clock, () => said.push(clock.now() / 60_000), wait.ended);
  await clock.advance(11 * 60_000);
  wait.end();
  await done;
  assert.deepEqual(said, [0, 5, 10]);
  assert.equal(clock.pending, 0);
});
