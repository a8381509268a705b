import assert from "node:assert/strict";
import fc from "fast-check";
import { Semaphore } from "../../provider/plain/semaphore";
import { settle } from "../support/virtual-clock";

it("a semaphore grants slots in order, stays full while anyone is waiting, and never loses a slot", async () => {
  const act = fc.constantFrom(
    "ask" as const,
    "ask" as const,
    "release" as const,
    "occupy" as const,
    "give up" as const,
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(act, { maxLength: 30 }), async (limit, acts) => {
      const places = new Semaphore(limit);
      let held = 0;
      const line: { readonly name: number; readonly gone: AbortController }[] = [];
      const expected: number[] = [];
      const given: number[] = [];
      for (const [name, each] of acts.entries()) {
        if (each === "ask") {
          const gone = new AbortController();
          if (places.isFull) line.push({ name, gone });
          else expected.push(name);
          places.take(gone.signal).then(
            () => {
              held++;
              given.push(name);
            },
            () => undefined,
          );
        } else if (each === "occupy") {
          held++;
          places.occupy();
        } else if (each === "give up") line.pop()?.gone.abort(new Error("out of time"));
        else if (held > 0) {
          if (held <= limit) expected.push(...line.splice(0, 1).map((next) => next.name));
          held--;
          places.release();
        }
        if (line.length > 0) assert.equal(places.isFull, true, "somebody waits, and it is not full");
        await settle(1);
      }
      assert.deepEqual(given, expected);
      assert.equal(places.isFull, held >= limit);
    }),
    { numRuns: 100 },
  );
});
