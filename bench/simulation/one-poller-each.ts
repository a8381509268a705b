import { type MachineId, type RecoveryPointId, type ListedTransaction, compareIds } from "../../provider/panel/types";
import { pause } from "../../provider/plain/clock";
import { virtualPanel } from "./virtual-panel";
import { machineOf, panelOptions, warmUp, type Drill, type Outcome } from "./drill";

interface PollerOptions {
  readonly everyMs: number;
  /**
   * Of every n restores, only the middle restore gets a poller, and its requests are counted n times. Simulating a thousand pollers would take an hour,
   * and the total is right because pollers do not affect each other.
   */
  readonly sampleEvery: number;
}

/**
 * Waits with one poller per restore. Each poller reads the newest row, posts the restore, and then repeatedly reads, in one request, as many of the newest
 * rows as there are restores, and at least a hundred. The pollers use this package's client and the same kind of panel.
 */
export async function withOnePollerEach(drill: Drill, { everyMs, sampleEvery }: PollerOptions): Promise<Outcome> {
  const panel = virtualPanel("json", panelOptions(drill));
  const { clock, sandbox } = panel;
  await warmUp(clock);
  const { client } = panel.newSession();
  const before = panel.listRequests();

  const findOwnRow = async (machine: string, newestBefore: ListedTransaction | undefined) => {
    const isNewer = ({ id }: ListedTransaction): boolean =>
      newestBefore === undefined || (compareIds(id, newestBefore.id) ?? 1) > 0;
    const { items } = await client.listTransactions({ perPage: Math.max(100, drill.restores) });
    return items.find((row) => row.associatedObjectId === machine && isNewer(row));
  };

  const restore = async (index: number): Promise<{ readonly machine: string; readonly at: number } | undefined> => {
    const machine = machineOf(index);
    const newest = (await client.listTransactions()).items[0];
    await client.restoreMachine(machine as MachineId, "1007" as RecoveryPointId);
    if (index % sampleEvery !== sampleEvery >> 1) return undefined;
    for (;;) {
      await pause(clock, everyMs);
      const row = await findOwnRow(machine, newest);
      if (row?.status === "complete") return { machine, at: clock.now() };
    }
  };

  const known = await clock.run(Promise.all(Array.from({ length: drill.restores }, (_, index) => restore(index))));
  const ends = new Map(sandbox.restores().map(({ machineId, endedAt }) => [machineId, endedAt]));
  const firstReads = drill.restores;
  const looks = panel.listRequests() - before - firstReads;
  if (sandbox.requests().length >= 100_000) throw new Error("more requests than the sandbox remembers: sample fewer");
  return {
    listRequests: firstReads + looks * sampleEvery,
    lagsMs: known.flatMap((end) => (end === undefined ? [] : [end.at - (ends.get(end.machine) ?? NaN)])),
  };
}
