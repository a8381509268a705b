import type { PanelError } from "../../provider/panel/errors";
import type { ListedPoint, ListedLogItem, MachineId, Page, PanelClient } from "../../provider/panel/types";
import { type Job, jobsOf, keepsBusy } from "../../provider/rows/jobs";
import type { Row } from "../../provider/rows/order";
import type { ReadOnlyGuard } from "./guard";

/** A machine's log and recovery points, as the panel shows them. */
export interface MachineReading {
  readonly log: { readonly items: readonly ListedLogItem[] } | { readonly error: PanelError };
  /** Absent if the panel has no such machine. */
  readonly points?: { readonly page: Page<ListedPoint> } | { readonly error: PanelError };
}

const logPageSize = 50;

/** Reads one page of the machine's log, and the list of its recovery points. */
export async function readMachine(
  client: PanelClient,
  machine: MachineId,
  guard: ReadOnlyGuard,
): Promise<MachineReading> {
  const asFinding = (error: unknown) => ({ error: guard.explain(error) });
  const log = await client.listLogItems(machine, { perPage: logPageSize }).then(({ items }) => ({ items }), asFinding);
  if ("error" in log && log.error.kind === "notFound") return { log };
  const points = await client.listRecoveryPoints(machine).then((page) => ({ page }), asFinding);
  return { log, points };
}

/** The jobs that a restore of the machine would wait for. */
export function busyJobs(
  { rows, panelTime }: { readonly rows: readonly Row[]; readonly panelTime?: number | undefined },
  machine: string,
): readonly Job[] {
  const nothing: ReadonlySet<string> = new Set();
  const jobs = jobsOf(rows, {
    target: { kind: "VmRestore", virtualMachineId: machine },
    mark: { panel: "", ended: [] },
    isLater: false,
    above: nothing,
    saysFiles: false,
  });
  return jobs.filter((job) => keepsBusy(job, panelTime));
}
