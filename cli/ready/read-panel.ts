import { limitConcurrency } from "../../provider/panel/limit-concurrency";
import { PanelError } from "../../provider/panel/errors";
import type { GetOptions, MachineId, PanelClient, Transaction } from "../../provider/panel/types";
import type { Settings } from "../../provider/inputs/settings";
import { guardedClient, type PanelReadOptions, type ReadOnlyGuard } from "../parts/guard";
import { type MachineReading, readMachine } from "../parts/read-machine";

export interface PanelReading {
  /** The newest rows of the list of transactions. */
  readonly transactions: { readonly rows: readonly Transaction[] } | { readonly error: PanelError };
  readonly machines: ReadonlyMap<MachineId, MachineReading>;
  readonly requests: number;
}

const machinesAtATime = 8;
const maxListPages = 2;
/** More machines than this are worth a progress line. */
const manyMachines = 10;
/** A thousand points in pages of ten, and some requests that have to be repeated. */
const maxRequestsPerMachine = 150;
const maxListRequests = 20;

/** Reads two pages of transactions and, for each machine, a page of its log and its list of points. It only sends GETs. */
export async function readPanel(
  settings: Settings,
  machines: readonly MachineId[],
  around: PanelReadOptions,
): Promise<PanelReading> {
  const { client, guard } = guardedClient(settings, maxListRequests + machines.length * maxRequestsPerMachine, around);
  const showProgress = machines.length > manyMachines ? around.progress : undefined;
  const options = { signal: guard.spent };
  try {
    showProgress?.(`${String(machines.length)} machines: asking ${client.address}`);
    const transactions = await readNewestRows(client, settings, options).catch((error: unknown) =>
      forbiddenOnly(error, guard),
    );
    const limited = limitConcurrency(machinesAtATime);
    let done = 0;
    const read = await Promise.all(
      machines.map((machine) =>
        limited(
          async () => {
            const seen = await readMachine(client, machine, guard);
            showProgress?.(`${String(++done)} of ${String(machines.length)} machines`);
            return [machine, seen] as const;
          },
          { signal: undefined, error: () => new Error("given up") },
        ),
      ),
    );
    const requests = guard.exchanges.filter(({ isSent }) => isSent).length;
    return { transactions, machines: new Map(read), requests };
  } finally {
    showProgress?.("");
    client.close();
  }
}

async function readNewestRows(
  client: PanelClient,
  { pageSize: perPage }: Settings,
  options: GetOptions,
): Promise<{ readonly rows: readonly Transaction[] }> {
  const rows: Transaction[] = [];
  let pages = 0;
  for await (const page of client.walkTransactions({ perPage, ...options })) {
    rows.push(...page.items);
    if (++pages >= maxListPages) break;
  }
  return { rows };
}

/** A list that this user may not read is a finding. Without any answer there is nothing to judge. */
function forbiddenOnly(error: unknown, guard: ReadOnlyGuard): { readonly error: PanelError } {
  if (error instanceof PanelError && error.kind === "forbidden") return { error };
  throw error instanceof PanelError ? guard.explain(error) : error;
}
