import type { Read } from "../../provider/feed/feed";
import { limitConcurrency } from "../../provider/plain/semaphore";
import type { PanelError } from "../../provider/panel/errors";
import type { MachineId } from "../../provider/panel/types";
import { listsNothing } from "../../provider/points/points";
import type { Settings } from "../../provider/inputs/settings";
import { guardedFeed, type PanelReadOptions } from "../parts/guard";
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
  try {
    const transactions = await feed.read({}, 0).catch((error: unknown) => {
      // Any other error means that the panel cannot be reached, so there is nothing to judge.
      const explained = guard.explain(error);
      if (["forbidden", "unusable"].includes(explained.kind)) return { error: explained };
      throw explained;
    });
    const limited = limitConcurrency(machinesAtATime);
    const readOne = async (machine: string): Promise<readonly [string, MachineReading]> => [
      machine,
      await readMachine(client, machine as MachineId, guard),
    ];
    const read = await Promise.all(machines.map((machine) => limited(() => readOne(machine))));
    const isAnyListed = read.some(([, { points }]) => points && "page" in points && !listsNothing(points.page));
    return { transactions, machines: new Map(read), isAnyListed, requests: guard.exchanges.length };
  } finally {
    client.close();
  }
}
