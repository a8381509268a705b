import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { feedOn } from "./feed-on";
import { Recorder } from "./recorder";

const minute = 60_000;

/**
 * Waits on a panel that gets 100 new rows a second. What the feed keeps after a few minutes is compared with what
 * it keeps at the end.
 */
export async function growthInBytes(waits: number, lastsMs: number): Promise<number> {
  const { clock, panel, feed } = feedOn({ pageSize: 100 });
  const ids = panel.addMany(Math.min(waits, 100));
  const startedAt = clock.now();
  panel.foreignAbove = () => Math.floor((clock.now() - startedAt) / 10);

  let reads = 0;
  for (let wait = 0; wait < waits; wait++) {
    const subscriber = new Recorder({ awaitedIds: [ids[wait % ids.length]!] });
    subscriber.afterRead = ({ reachedStop }) => {
      assert.ok(reachedStop, "the awaited row was found under all the new ones");
      reads++;
      subscriber.reads.length = 0;
    };
    feed.subscribe(subscriber);
  }
  const passes = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += minute) {
      await clock.advance(minute);
      panel.asked.length = 0;
    }
  };
  await passes(minute);
  const early = heapInUse();
  await passes(lastsMs);
  const late = heapInUse();
  assert.ok(reads > (waits * lastsMs) / 11_000, String(reads));
  return late - early;
}

function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
