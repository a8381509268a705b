import assert from "node:assert/strict";
import { Lanes, OutOfTime, postedUnwatched, takeTurn, within } from "../../provider/restore/turn";
import { settle, VirtualClock } from "../support/virtual-clock";

const someRestore = () => postedUnwatched(() => Promise.resolve());

describe("the lane of a machine", () => {
  it("lets fifty through one at a time, in the order in which they came", async () => {
    const lanes = new Lanes();
    const order: number[] = [];
    let inside = 0;
    await Promise.all(
      Array.from({ length: 50 }, async (_, number) => {
        const turn = await lanes.enter("42");
        assert.equal(++inside, 1);
        order.push(number);
        await settle(1);
        inside--;
        turn.leave();
      }),
    );
    assert.deepEqual(order, [...Array(50).keys()]);
  });

  it("is one per machine", async () => {
    const lanes = new Lanes();
    await lanes.enter("42");
    await lanes.enter("43");
  });

  it("hands a restore that was left behind to the next one, and to nobody after that", async () => {
    const lanes = new Lanes();
    const left = someRestore();
    (await lanes.enter("42")).leave(left);
    const second = await lanes.enter("42");
    assert.equal(second.leftBehind, left);
    await second.settle();
    second.leave();
    assert.equal((await lanes.enter("42")).leftBehind, undefined);
  });

  it("is left once: what comes later does nothing", async () => {
    const lanes = new Lanes();
    const [left, other] = [someRestore(), someRestore()];
    const first = await lanes.enter("42");
    first.leave(left);
    first.leave(other);
    first.leave();
    const second = await lanes.enter("42");
    assert.equal(second.leftBehind, left);
    await second.settle();
    second.leave();
    second.leave(other);
    assert.equal(lanes.isTaken("42"), false);
  });

  it("hands on what one has posted, rather than what was left to that one", async () => {
    const lanes = new Lanes();
    const [left, other] = [someRestore(), someRestore()];
    (await lanes.enter("42")).leave(left);
    (await lanes.enter("42")).leave(other);
    assert.equal((await lanes.enter("42")).leftBehind, other);
  });

  it("passes what was left behind on, past one who gave up waiting", async () => {
    const lanes = new Lanes();
    const first = await lanes.enter("42");
    const gone = new AbortController();
    const gaveUp = takeTurn(lanes, "42", gone.signal);
    const third = takeTurn(lanes, "42", new AbortController().signal);
    gone.abort(new OutOfTime("out of time"));
    await assert.rejects(gaveUp, OutOfTime);
    const left = someRestore();
    first.leave(left);
    assert.equal((await third).leftBehind, left);
  });

  it("is not entered early because one before gave up", async () => {
    const lanes = new Lanes();
    const first = await lanes.enter("42");
    const gone = new AbortController();
    const gaveUp = takeTurn(lanes, "42", gone.signal);
    let isIn = false;
    const third = takeTurn(lanes, "42", new AbortController().signal).then(() => {
      isIn = true;
    });
    gone.abort(new OutOfTime("out of time"));
    await assert.rejects(gaveUp);
    await settle();
    assert.equal(isIn, false);
    first.leave();
    await third;
  });
});

describe("waiting within a time", () => {
  it("ends when the time is over, and leaves no timer either way", async () => {
    const clock = new VirtualClock();
    const lanes = new Lanes();
    const first = await lanes.enter("42");
    const late = within(clock, clock.now() + 1000, (signal) => takeTurn(lanes, "42", signal));
    await assert.rejects(clock.run(late), OutOfTime);
    assert.equal(clock.pending, 0);
    const inTime = within(clock, clock.now() + 1000, (signal) => takeTurn(lanes, "42", signal));
    first.leave();
    await inTime;
    assert.equal(clock.pending, 0);
  });

  it("waits for ever without one, and sets no timer", async () => {
    const clock = new VirtualClock();
    assert.equal(await within(clock, undefined, () => Promise.resolve("here")), "here");
    assert.equal(clock.pending, 0);
  });

  it("takes its timer back when the wait throws", async () => {
    const clock = new VirtualClock();
    await assert.rejects(
      within(clock, clock.now() + 1000, () => Promise.reject(new Error("odd"))),
      /odd/,
    );
    assert.equal(clock.pending, 0);
  });
});
