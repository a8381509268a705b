import type { Read } from "../../provider/feed/feed";
import { limitConcurrency } from "../../provider/plain/semaphore";
import { PanelError } from "../../provider/panel/errors";
import type { MachineId } from "../../provider/panel/types";
import { listsNothing } from "../../provider/points/points";
import type { Settings } from "../../provider/inputs/settings";
import { guardedFeed, type PanelReadOptions, sentRequests } from "../parts/guard";
import { type MachineReading, readMachine } from "../parts/read-machine";

export interface PanelReading {
  /** The newest page of the transaction list. */
  readonly transactions: Read | { readonly error: PanelError };
  readonly machines: ReadonlyMap<string, MachineReading>;
  /** Whether the panel lists recovery points for any of the machines. */
  readonly isAnyListed: boolean;
  readonly requests: number;
}

const machinesAtATime = 8;
/** Progress is shown only if there are more machines than this. */
const manyMachines = 10;
/** Enough for a thousand points in pages of ten, and for some retries. */
const maxRequestsPerMachine = 150;
const maxListRequests = 20;

/** Reads the newest transactions and, for each machine, a page of its log and its list of points. Sends only GETs. */
export async function readPanel(
  settings: Settings,
  machines: readonly string[],
  around: PanelReadOptions,
): Promise<PanelReading> {
  const { client, guard, feed } = guardedFeed(
    settings,
    maxListRequests + machines.length * maxRequestsPerMachine,
    around,
  );
  const showProgress = machines.length > manyMachines ? around.progress : undefined;
  try {
    showProgress?.(`${String(machines.length)} machines: querying ${client.address}`);
    const transactions = await feed.read({}, 0).catch((error: unknown) => {
      // Any other error means that the panel cannot be reached, so there is nothing to judge.
      if (error instanceof PanelError && ["forbidden", "unusable"].includes(error.kind)) return { error };
      throw error instanceof PanelError ? guard.explain(error) : error;
    });
    const limited = limitConcurrency(machinesAtATime);
    let done = 0;
    const readOne = async (machine: string): Promise<readonly [string, MachineReading]> => {
      const seen = await readMachine(client, machine as MachineId, guard);
      showProgress?.(`${String(++done)} of ${String(machines.length)} machines`);
      return [machine, seen];
    };
    const never = { signal: undefined, error: () => new Error("given up") };
    const read = await Promise.all(machines.map((machine) => limited(() => readOne(machine), never)));
    const isAnyListed = read.some(([, { points }]) => points && "page" in points && !listsNothing(points.page));
    return { transactions, machines: new Map(read), isAnyListed, requests: sentRequests(guard) };
  } finally {
    showProgress?.("");
    client.close();
  }
}
