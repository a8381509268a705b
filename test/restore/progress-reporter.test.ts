import assert from "node:assert/strict";
import { ProgressReporter } from "../../provider/restore/progress-reporter";
import { VirtualClock } from "../support/virtual-clock";
import { serverError } from "./support/panel-errors";
import { newestPageOf } from "./support/rows";

const second = 1000;

describe("what a wait says", () => {
  const scene = (start: string | undefined) => {
    const clock = new VirtualClock({ startAt: 0 });
    const said: string[] = [];
    let state = start;
    const progress = new ProgressReporter(
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
    return { clock, said, teller: progress, becomes };
  };

  it("is its news at once, and between two of them the state of that moment", async () => {
    const { clock, said, teller: progress, becomes } = scene("queued");
    progress.report();
    progress.report();
    assert.deepEqual(said, ["queued at 0"]);
    becomes("running");
    await clock.advance(30 * second);
    assert.deepEqual(said, ["queued at 0", "running at 30"]);
    progress.stop();
    assert.equal(clock.pending, 0);
  });

  it("is nothing once its state has nothing to say, though a line is due", async () => {
    const { clock, said, teller: progress, becomes } = scene("running");
    progress.report();
    becomes(undefined);
    await clock.advance(30 * second);
    assert.deepEqual(said, ["running at 0"]);
    progress.stop();
  });

  it("is an outage, and that it has passed", () => {
    const { said, teller: progress } = scene("running");
    progress.report();
    progress.noteEvent({ type: "read-failed", error: serverError(), failuresInARow: 1 });
    progress.report();
    progress.noteEvent({ type: "read-failed", error: serverError(), failuresInARow: 2 });
    progress.report();
    assert.equal(said.length, 2);
    progress.noteEvent({
      type: "list-read",
      rows: [],
      newestPage: newestPageOf([]),
      reachedStop: true,
      reachedMark: true,
      stopRule: {},
      inOneRequest: true,
    });
    progress.report();
    assert.equal(said.length, 3);
    progress.stop();
  });

  it("is nothing where it is to be silent", () => {
    const clock = new VirtualClock({ startAt: 0 });
    new ProgressReporter(clock, undefined, () => assert.fail("nobody asks")).report();
    assert.equal(clock.pending, 0);
  });
});
