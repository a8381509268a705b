import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import { feedOn } from "./support/feed-on";
import { Recorder } from "./support/recorder";

/** A list of a thousand rows, 1000 on top, ten to a page: what one walk shows to somebody who asks for what lies around some of them. */
async function shown(awaited: readonly number[], gone: readonly number[] = []): Promise<readonly number[]> {
  const { clock, panel, feed } = feedOn();
  panel.addMany(1000);
  for (const id of gone) panel.remove(String(id) as TransactionId);
  const recorder = new Recorder({ ids: awaited.map((id) => String(id) as TransactionId), around: true }, () => true);
  const watching = feed.watch(recorder);
  await clock.advance(400);
  watching.close();
  assert.deepEqual(
    recorder.ticks.map(({ reachedFloor }) => reachedFloor),
    [true],
  );
  assert.ok(panel.asked.length < 25, `${String(panel.asked.length)} requests`);
  return recorder.heard.map((entry) => Number.parseInt(entry, 10));
}

/** The last row of a page, so that what lies right below it is on the next one. */
const cases: readonly (readonly [what: string, awaited: readonly number[], gone?: readonly number[]])[] = [
  ["alone, near the top", [991]],
  ["alone, far down", [501]],
  ["near the top, while another lies far down", [991, 7]],
  ["near the top, while another is gone", [991, 7], [7]],
  ["far down, and another on the page below", [505, 491]],
  ["far down, and others on each of the pages below", [505, 491, 481, 471]],
  ["far down, while another lies much further down", [501, 7]],
];

describe("the rows around awaited rows", () => {
  for (const [what, awaited, gone = []] of cases) {
    it(`are shown: ${what}`, async () => {
      const heard = await shown(awaited, gone);
      for (const id of awaited.filter((each) => !gone.includes(each)))
        for (const around of [id - 3, id - 2, id - 1, id, id + 1, id + 2])
          assert.ok(heard.includes(around), `row ${String(around)}, by row ${String(id)}`);
    });
  }
});
