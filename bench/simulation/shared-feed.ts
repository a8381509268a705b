import { attempt, recordingReporter, makeIntent, requestFor } from "./restore-programs";
import { virtualPanel } from "./virtual-panel";
import { machineOf, panelOptions, warmUp, type Drill, type Outcome } from "./drill";

/** Waits as this package does: from the intent to the end, all restores share one feed. */
export async function withSharedFeed(drill: Drill): Promise<Outcome> {
  const panel = virtualPanel("json", panelOptions(drill));
  const { clock, sandbox } = panel;
  await warmUp(clock);
  const session = panel.newSession();
  const before = panel.listRequests();
  const known = await clock.run(
    Promise.all(
      Array.from({ length: drill.restores }, async (_, index) => {
        const machine = machineOf(index);
        const request = requestFor(await makeIntent(session, machine));
        const result = await attempt(session, request, recordingReporter());
        if (result.kind !== "good") throw new Error(`the restore of machine ${machine} ended as ${result.kind}`);
        return { machine, at: clock.now() };
      }),
    ),
  );
  if (clock.pending > 0) throw new Error("a timer was left behind");
  const ends = new Map(sandbox.restores().map(({ machineId, endedAt }) => [machineId, endedAt]));
  return {
    listRequests: panel.listRequests() - before,
    lagsMs: known.map(({ machine, at }) => at - (ends.get(machine) ?? NaN)),
  };
}
