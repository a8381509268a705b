import { PanelError } from "../../provider/panel/errors";
import type { GetOptions, ListedPoint, LogItem, MachineId, Page, PanelClient } from "../../provider/panel/types";

/** What the panel shows of one machine. */
export interface MachineReading {
  readonly log: { readonly items: readonly LogItem[] } | { readonly error: PanelError };
  /** Absent where the panel knows no such machine: it has no points either. */
  readonly points?: { readonly page: Page<ListedPoint> } | { readonly error: PanelError };
}

const logPageSize = 50;

/** One page of its log, and its list of recovery points. */
export async function readMachine(
  client: PanelClient,
  machine: MachineId,
  options: GetOptions,
): Promise<MachineReading> {
  const log = await client
    .listLogItems(machine, { perPage: logPageSize }, options)
    .then(({ items }) => ({ items }), asPanelError);
  if ("error" in log && log.error.kind === "notFound") return { log };
  const points = await client.listRecoveryPoints(machine, options).then((page) => ({ page }), asPanelError);
  return { log, points };
}

/** What the panel refuses or fails at is something to tell; anything else is a defect. */
export function asPanelError(error: unknown): { readonly error: PanelError } {
  if (error instanceof PanelError) return { error };
  throw error;
}
