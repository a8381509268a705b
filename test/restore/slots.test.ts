import assert from "node:assert/strict";
import fc from "fast-check";
import { type Posted, type Slot, Slots, postedUnwatched } from "../../provider/restore/turn";
import { settle } from "../support/virtual-clock";

/** A restore that ends when it is told to. */
function restore(): Posted & { end(): void; readonly isAsked: boolean } {
  let end: () => void = () => undefined;
  let isAsked = false;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const posted = postedUnwatched(() => {
    isAsked = true;
    return ended;
  });
  return {
    settle: () => posted.settle(),
    end: () => {
      end();
    },
    get isAsked() {
      return isAsked;
    },
  };
}

describe("places for concurrent restores", () => {
  it("are without end when no limit is set", async () => {
    const slots = new Slots(undefined);
    for (let n = 0; n < 1000; n++) await slots.acquire();
    assert.equal(slots.full, false);
  });

  it("are given in the order in which they were asked for", async () => {
    const slots = new Slots(1);
    const first = await slots.acquire();
    const order: string[] = [];
    const ask = async (name: string): Promise<void> => {
      const slot = await slots.acquire();
      order.push(name);
      slot.release();
    };
    const all = Promise.all([ask("a"), ask("b"), ask("c")]);
    assert.equal(slots.full, true);
    first.release();
    await all;
    assert.deepEqual(order, ["a", "b", "c"]);
    assert.equal(slots.full, false);
  });

  it("go to the first in line the moment they come free, so that nobody who comes then gets in between", async () => {
    const slots = new Slots(1);
    const first = await slots.acquire();
    const order: string[] = [];
    const ask = async (name: string): Promise<void> => {
      await slots.acquire();
      order.push(name);
    };
    void ask("a");
    first.release();
    assert.equal(slots.full, true);
    void ask("b");
    await settle();
    assert.deepEqual(order, ["a"]);
  });

  it("are full as long as anybody waits, and given in order, whoever resumes, leaves or gives up meanwhile", async () => {
    const act = fc.constantFrom(
      "ask" as const,
      "ask" as const,
      "release" as const,
      "resume" as const,
      "give up" as const,
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(act, { maxLength: 30 }), async (limit, acts) => {
        const slots = new Slots(limit);
        const held: Slot[] = [];
        const line: { readonly name: number; readonly gone: AbortController }[] = [];
        const expected: number[] = [];
        const given: number[] = [];
        for (const [name, each] of acts.entries()) {
          if (each === "ask") {
            const gone = new AbortController();
            if (slots.full) line.push({ name, gone });
            else expected.push(name);
            slots.acquire(gone.signal).then(
              (slot) => {
                held.push(slot);
                given.push(name);
              },
              () => undefined,
            );
          } else if (each === "resume") held.push(slots.occupy());
          else if (each === "give up") line.pop()?.gone.abort(new Error("out of time"));
          else if (held.length > 0) {
            if (held.length <= limit) expected.push(...line.splice(0, 1).map((next) => next.name));
            held.shift()?.release();
          }
          if (line.length > 0) assert.equal(slots.full, true, "somebody waits, and it is not full");
          await settle(1);
        }
        assert.deepEqual(given, expected);
      }),
      { numRuns: 300 },
    );
  });

  it("count once, however often one is given back", async () => {
    const slots = new Slots(1);
    const slot = await slots.acquire();
    slot.release();
    slot.release();
    await slots.acquire();
    assert.equal(slots.full, true);
  });

  it("are not kept for one who gave up", async () => {
    const slots = new Slots(1);
    const first = await slots.acquire();
    const gone = new AbortController();
    const gaveUp = slots.acquire(gone.signal);
    gone.abort(new Error("out of time"));
    await assert.rejects(gaveUp, /out of time/);
    first.release();
    assert.equal(slots.full, false);
  });

  it("are refused to one who had given up before asking", async () => {
    const slots = new Slots(1);
    const first = await slots.acquire();
    await assert.rejects(slots.acquire(AbortSignal.abort(new Error("out of time"))), /out of time/);
    first.release();
    assert.equal(slots.full, false);
  });

  it("stay taken by a restore left behind until it has ended, which nobody looks at before the place is needed", async () => {
    const slots = new Slots(1);
    const left = restore();
    (await slots.acquire()).release(left);
    await settle();
    assert.deepEqual([slots.full, left.isAsked], [true, false]);
    const next = slots.acquire();
    assert.equal(left.isAsked, true);
    left.end();
    await next;
  });

  it("come free for who waits already, when a restore is left behind only then", async () => {
    const slots = new Slots(1);
    const first = await slots.acquire();
    const next = slots.acquire();
    const left = restore();
    first.release(left);
    assert.equal(left.isAsked, true);
    left.end();
    await next;
  });

  it("may be more than the limit for restores that are on the panel already, and nobody new comes in until they are fewer", async () => {
    const slots = new Slots(1);
    const resumed = [slots.occupy(), slots.occupy()];
    let isIn = false;
    const next = slots.acquire().then(() => {
      isIn = true;
    });
    resumed[0]?.release();
    await settle();
    assert.equal(isIn, false);
    resumed[1]?.release();
    await next;
  });

  it("never hold more than the limit and never lose a place, whatever order things happen in", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.tuple(fc.boolean(), fc.nat(2)), { maxLength: 12 }),
        async (limit, turns) => {
          const slots = new Slots(limit);
          let held = 0;
          await Promise.all(
            turns.map(async ([leaves, rounds]) => {
              const slot = await slots.acquire();
              assert.ok(++held <= limit);
              await settle(rounds);
              held--;
              if (!leaves) slot.release();
              else slot.release(postedUnwatched(() => settle(1)));
            }),
          );
          for (let n = 0; n < limit; n++) await slots.acquire();
          assert.equal(slots.full, true);
        },
      ),
      { numRuns: 40 },
    );
  });
});
