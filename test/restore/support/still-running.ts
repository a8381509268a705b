import type { RestoreRecord } from "../../../provider/inputs/record";
import { attempt, recordingReporter, makeIntent, requestFor } from "../../support/restore-programs";
import type { VirtualPanel } from "../../support/virtual-panel";

/** What a run leaves in the state whose time is over a minute after its restore of machine 42 has begun; the panel takes ten for it. */
export async function storedStillRunning(panel: VirtualPanel): Promise<RestoreRecord> {
  panel.sandbox.failNext(42, { outcome: "complete", seconds: 600 });
  await panel.clock.advance(60_000);
  const session = panel.newSession();
  const intent = await panel.clock.run(makeIntent(session));
  const request = requestFor(intent, { timeouts: { busyMs: 0, listedMs: 120_000, queueMs: 60_000, runMs: 60_000 } });
  const result = await panel.clock.run(attempt(session, request, "first", recordingReporter()));
  if (result.kind !== "stored" || result.record.status !== "running") {
    throw new Error(`the first run ended so: ${JSON.stringify(result)}`);
  }
  return JSON.parse(JSON.stringify(result.record)) as RestoreRecord;
}
