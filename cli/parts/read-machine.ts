import { PanelError } from "../../provider/panel/errors";
import type { GetOptions, ListedPoint, LogItem, MachineId, Page, PanelClient } from "../../provider/panel/types";

/** A machine's log and recovery points, as the panel shows them. */
export interface MachineReading {
  readonly log: { readonly items: readonly LogItem[] } | { readonly error: PanelError };
  /** Absent if the panel knows no such machine. */
  readonly points?: { readonly page: Page<ListedPoint> } | { readonly error: PanelError };
}

const logPageSize = 50;

/** Reads one page of the machine's log, and the list of its recovery points. */
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

/** A refusal or failure of the panel is a finding; any other error is a defect. */
export function asPanelError(error: unknown): { readonly error: PanelError } {
  if (error instanceof PanelError) return { error };
  throw error;
}
