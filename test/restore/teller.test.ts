import assert from "node:assert/strict";
import { Teller } from "../../provider/restore/wait";
import { VirtualClock } from "../support/virtual-clock";
import { serverError } from "./support/panel-errors";
import { headOf } from "./support/rows";

const second = 1000;

describe("what a wait says", () => {
  const scene = (start: string | undefined) => {
    const clock = new VirtualClock({ startAt: 0 });
    const said: string[] = [];
    let state = start;
    const teller = new Teller(
      clock,
      {
        describe: (current, now) => current && `${current} at ${String(now / second)}`,
        topic: (current, outage) => `${current ?? ""}/${outage ?? ""}`,
        say: (text) => said.push(text),
      },
      () => state,
    );
    const becomes = (next: string | undefined): void => {
      state = next;
    };
    return { clock, said, teller, becomes };
  };

  it("is its news at once, and between two of them the state of that moment", async () => {
    const { clock, said, teller, becomes } = scene("queued");
    teller.tell();
    teller.tell();
    assert.deepEqual(said, ["queued at 0"]);
    becomes("running");
    await clock.advance(30 * second);
    assert.deepEqual(said, ["queued at 0", "running at 30"]);
    teller.stop();
    assert.equal(clock.pending, 0);
  });

  it("is nothing once its state has nothing to say, though a line is due", async () => {
    const { clock, said, teller, becomes } = scene("running");
    teller.tell();
    becomes(undefined);
    await clock.advance(30 * second);
    assert.deepEqual(said, ["running at 0"]);
    teller.stop();
  });

  it("is an outage, and that it has passed", () => {
    const { said, teller } = scene("running");
    teller.tell();
    teller.hear({ type: "trouble", error: serverError(), inARow: 1 });
    teller.tell();
    teller.hear({ type: "trouble", error: serverError(), inARow: 2 });
    teller.tell();
    assert.equal(said.length, 2);
    teller.hear({
      type: "tick",
      rows: [],
      newestPage: headOf([]),
      reachedStop: true,
      reachedMark: true,
      inOneRequest: true,
    });
    teller.tell();
    assert.equal(said.length, 3);
    teller.stop();
  });

  it("is nothing where it is to be silent", () => {
    const clock = new VirtualClock({ startAt: 0 });
    new Teller(clock, undefined, () => assert.fail("nobody asks")).tell();
    assert.equal(clock.pending, 0);
  });
});
