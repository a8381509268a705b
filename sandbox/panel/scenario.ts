import type { MachineSpec } from "../cloud/machines";
import type { TransactionSpec } from "../cloud/jobs";
import type { DialectOption } from "../dialect/presets";
import type { Faults } from "../dialect/faults";

/** The panel's content at the start, also the content of a scenario file. Options given beside it win. */
export interface Scenario {
  /** The machines. @default machines 42, 43 and 44 with recovery points 1007, 1008 and 1009 each */
  readonly machines?: readonly MachineSpec[];
  /** Earlier transactions, oldest first. @default a short history for the default machines, otherwise none */
  readonly transactions?: readonly TransactionSpec[];
  /** Other users' work: rows per second, on machines that are not listed here. */
  readonly background?: { readonly perSecond: number };
  readonly dialect?: DialectOption;
  readonly faults?: Partial<Faults>;
  readonly seed?: number;
  /** Everything runs this many times faster than in reality. @default 1 */
  readonly speed?: number;
  /** Number of transactions that run at a time. @default 4 */
  readonly slots?: number;
  /** Seconds for which a new transaction stays pending. @default 1 */
  readonly pickupSeconds?: number;
}

const hour = 3600;
const machineIds = [42, 43, 44];

/** Three machines with three recovery points each, and their history of the last days. */
const defaults = {
  machines: machineIds.map((id) => ({ id, label: { 42: "web", 43: "db", 44: "mail" }[id] ?? String(id) })),
  transactions: [
    ...machineIds.map((id) => history(id, "startup_virtual_machine", 60 * hour, 14)),
    ...[1007, 1008, 1009].flatMap((point, index) =>
      machineIds.map((id) => ({
        ...history(id, "take_incremental_backup", (49 - index * 24) * hour, 90),
        target: { type: "RecoveryPoint", id: point },
      })),
    ),
    history(43, "update_firewall", 40 * 60, 3),
    history(42, "reboot_virtual_machine", 25 * 60, 21),
  ],
};

/** Adds the default machines to a scenario without a list of machines. An empty list means none. */
export function withMachines(scenario: Scenario): Scenario {
  if (scenario.machines !== undefined) return scenario;
  return { ...scenario, machines: defaults.machines, transactions: scenario.transactions ?? defaults.transactions };
}

function history(machineId: number, action: string, ageSeconds: number, seconds: number): TransactionSpec {
  return { machineId, action, ageSeconds, seconds, status: "complete" };
}
