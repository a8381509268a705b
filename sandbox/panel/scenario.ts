import { readFileSync } from "node:fs";
import type { NextRestore } from "../cloud/cloud";
import type { TransactionSpec } from "../cloud/jobs";
import type { MachineSpec, Outcome, RecoveryPointSpec } from "../cloud/model";
import { type Faults, readFaults } from "../dialect/faults";
import { type DialectOption, readDialect } from "../dialect/presets";
import {
  anyBoolean,
  anyId,
  anyNumber,
  anyText,
  listOf,
  mapOf,
  messageOf,
  notNegative,
  objectOf,
  oneChoiceOf,
  SandboxError,
} from "../plain/input";

/** The panel's initial content, which can also be read from a file. The panel's options take precedence over the scenario. */
export interface Scenario {
  /** The machines. @default machines 42, 43 and 44 with recovery points 1007, 1008 and 1009 each */
  readonly machines?: readonly MachineSpec[];
  /** Earlier transactions, oldest first. @default a short history for the default machines, otherwise none */
  readonly transactions?: readonly TransactionSpec[];
  /** Other users' work: rows per second, on machines that are not listed here. */
  readonly background?: { readonly perSecond: number };
  /** How the panel behaves where real panels differ. @default "plain" */
  readonly dialect?: DialectOption;
  /** Faults that affect requests. @default none */
  readonly faults?: Partial<Faults>;
  /** The same seed gives the same run. @default 1 */
  readonly seed?: number;
  /** Everything runs this many times faster than in real time. @default 1 */
  readonly speed?: number;
  /** Number of transactions that run at a time. @default 4 */
  readonly slots?: number;
  /** Seconds for which a new transaction stays pending. @default 1 */
  readonly pickupSeconds?: number;
}

const hour = 3600;
const machineIds = [42, 43, 44];

/** Three machines with three recovery points each, and their history from the last few days. */
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

/** Adds the default machines to a scenario that has no list of machines. An empty list stays empty. */
export function withMachines(scenario: Scenario): Scenario {
  if (scenario.machines !== undefined) return scenario;
  return { ...scenario, machines: defaults.machines, transactions: scenario.transactions ?? defaults.transactions };
}

function history(machineId: number, action: string, ageSeconds: number, seconds: number): TransactionSpec {
  return { machineId, action, ageSeconds, seconds, status: "complete" };
}

// Shapes of the JSON in a scenario file, or in a request to the control port.

const outcome = oneChoiceOf("complete", "failed", "cancelled");

const pointParts = { id: anyId, sizeBytes: notNegative, ageSeconds: notNegative, state: anyText };
const point = objectOf<RecoveryPointSpec>(pointParts, ["id"]);

export const machine = objectOf<MachineSpec>(
  {
    id: anyId,
    identifier: anyText,
    label: anyText,
    recoveryPoints: listOf<number | string | RecoveryPointSpec>((value, key) =>
      typeof value === "object" ? point(value, key) : anyId(value, key),
    ),
    restoreSeconds: notNegative,
    fileSeconds: notNegative,
  },
  ["id"],
);

export const newPoint = objectOf<Partial<RecoveryPointSpec> & { machineId: string | number }>(
  { machineId: anyId, ...pointParts },
  ["machineId"],
);

export const transaction = objectOf<TransactionSpec>(
  {
    machineId: anyId,
    action: anyText,
    seconds: notNegative,
    status: oneChoiceOf("pending", "running", "complete", "failed", "cancelled"),
    outcome,
    locks: anyBoolean,
    target: objectOf<{ type: string; id: number | string }>({ type: anyText, id: anyId }, ["type", "id"]),
    params: mapOf((value, key) => (typeof value === "number" ? value : anyText(value, key))),
    ageSeconds: notNegative,
  },
  ["machineId", "action"],
);

const background = objectOf<{ perSecond: number }>({ perSecond: notNegative }, ["perSecond"]);

export const nextRestore = objectOf<NextRestore & { machineId: string | number }>(
  { machineId: anyId, outcome, seconds: notNegative },
  ["machineId"],
);

export const foreignRestore = objectOf<
  { machineId: string | number; recoveryPointId: string | number; paths?: readonly string[] } & NextRestore
>({ machineId: anyId, recoveryPointId: anyId, paths: listOf(anyText), seconds: notNegative, outcome }, [
  "machineId",
  "recoveryPointId",
]);

export const ending = objectOf<{ outcome: Outcome }>({ outcome }, ["outcome"]);

const scenario = objectOf<Scenario>({
  machines: listOf(machine),
  transactions: listOf(transaction),
  background,
  dialect: readDialect,
  faults: readFaults,
  seed: anyNumber,
  speed: notNegative,
  slots: notNegative,
  pickupSeconds: notNegative,
});

/** Reads a scenario from a JSON file. An error message is one line that names the file and the key. */
export function readScenarioFile(path: string): Scenario {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    return scenario(content, "");
  } catch (error) {
    throw new SandboxError(`scenario file ${path}: ${messageOf(error)}`);
  }
}
