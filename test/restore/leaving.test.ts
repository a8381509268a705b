import assert from "node:assert/strict";
import { Lanes, Slots, onPlace, postedUnwatched, withPlace, withTurn } from "../../provider/restore/turn";
import { settle } from "../support/virtual-clock";

/** A restore that nobody waits for, until a test lets it end. */
function somethingPosted() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { posted: postedUnwatched(() => ended), end };
}

describe("work in a turn", () => {
  it("ends the turn with what it comes to, and leaves behind what that has left behind", async () => {
    const lanes = new Lanes();
    const { posted } = somethingPosted();
    const turn = await lanes.enter("42");
    const done = await withTurn(turn, () => Promise.resolve({ said: "good", leftBehind: posted }));
    assert.equal(done.said, "good");
    assert.equal((await lanes.enter("42")).leftBehind, posted);
  });

  it("ends the turn when it throws, at once or later", async () => {
    const lanes = new Lanes();
    for (const odd of [() => Promise.reject(new Error("odd")), () => assert.fail("odd")]) {
      await assert.rejects(withTurn(await lanes.enter("42"), odd), /odd/);
      assert.equal(lanes.isTaken("42"), false);
    }
  });

  it("leaves behind again what it was left and has not settled, whatever it comes to", async () => {
    const lanes = new Lanes();
    const { posted, end } = somethingPosted();
    (await lanes.enter("42")).leave(posted);
    await withTurn(await lanes.enter("42"), () => Promise.resolve({}));
    await assert.rejects(withTurn(await lanes.enter("42"), () => Promise.reject(new Error("odd"))));
    const turn = await lanes.enter("42");
    assert.equal(turn.leftBehind, posted);
    await withTurn(turn, async () => {
      end();
      await turn.settle();
      return {};
    });
    assert.equal(lanes.isTaken("42"), false);
  });

  it("is followed by the next one only when it has ended", async () => {
    const lanes = new Lanes();
    const { posted, end } = somethingPosted();
    const first = withTurn(await lanes.enter("42"), () => posted.settle().then(() => ({})));
    let isIn = false;
    const next = lanes.enter("42").then(() => {
      isIn = true;
    });
    await settle();
    assert.equal(isIn, false);
    end();
    await Promise.all([first, next]);
  });
});

describe("work that takes a place", () => {
  it("gives it back with its end, also when it throws, and only once", async () => {
    const slots = new Slots(1);
    await withPlace(slots, (place) => {
      assert.equal(place.isHeld, false);
      assert.equal(place.takeFree(), true);
      assert.equal(place.takeFree(), false, "it holds the only one");
      assert.deepEqual([place.isHeld, slots.full], [true, true]);
      place.giveBack();
      place.giveBack();
      assert.deepEqual([place.isHeld, slots.full], [false, false]);
      return Promise.resolve({});
    });
    await assert.rejects(
      onPlace(slots, () => Promise.reject(new Error("odd"))),
      /odd/,
    );
    assert.equal(slots.full, false);
  });

  it("takes one that comes free, and none when the wait for it is given up", async () => {
    const slots = new Slots(1);
    const first = slots.occupy();
    const waiting = withPlace(slots, async (place) => {
      await place.take(new AbortController().signal);
      await place.take(new AbortController().signal);
      assert.equal(slots.full, true);
      return {};
    });
    const gone = new AbortController();
    const givingUp = withPlace(slots, async (place) => {
      await place.take(gone.signal);
      return {};
    });
    gone.abort(new Error("out of time"));
    await assert.rejects(givingUp, /out of time/);
    first.release();
    await waiting;
    assert.equal(slots.full, false);
  });

  it("leaves the place to a restore left behind, until somebody needs it", async () => {
    const slots = new Slots(1);
    const { posted, end } = somethingPosted();
    await onPlace(slots, () => Promise.resolve({ leftBehind: posted }));
    assert.equal(slots.full, true);
    const next = slots.acquire();
    end();
    (await next).release();
    assert.equal(slots.full, false);
  });

  it("takes one above the limit for a restore that is on the panel already", async () => {
    const slots = new Slots(1);
    await onPlace(slots, () =>
      onPlace(slots, () => {
        assert.equal(slots.full, true);
        return Promise.resolve({});
      }),
    );
    assert.equal(slots.full, false);
  });
});
