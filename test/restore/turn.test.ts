import assert from "node:assert/strict";
import { Semaphore } from "../../provider/plain/semaphore";
import { attempt } from "../../provider/restore/begin";
import { withPlace } from "../../provider/restore/turn";
import { settle } from "../support/virtual-clock";

const never = new AbortController().signal;

it("a machine's restores are sent one after the other", async () => {
  const session = { queues: new Map<string, Semaphore>(), places: new Semaphore(), feed: { rowsShown: 1 } };
  const request = { target: { virtualMachineId: "42" } };
  const done = attempt({ session, request } as unknown as Parameters<typeof attempt>[0]);
  assert.equal(session.queues.get("42")?.isFull, true);
  await assert.rejects(done);
  assert.equal(session.queues.get("42")?.isFull, false);
});

describe("the slots of maxConcurrent", () => {
  for (const isError of [false, true])
    it(`are occupied until the work in the background ${isError ? "fails" : "ends"}`, async () => {
      const places = new Semaphore(1);
      const result = { kind: "not sent", reason: "" } as const;
      const ended = settle().then(() => (isError ? Promise.reject(new Error("odd")) : result));
      await withPlace(places, never, () => Promise.resolve({ result, ended }));
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
