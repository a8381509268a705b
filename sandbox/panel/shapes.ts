import { readFileSync } from "node:fs";
import type { NextRestore } from "../cloud/cloud";
import type { TransactionSpec } from "../cloud/jobs";
import type { MachineSpec, RecoveryPointSpec } from "../cloud/machines";
import type { Outcome } from "../cloud/model";
import { readFaults } from "../dialect/faults";
import { readDialect } from "../dialect/presets";
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
  oneOf,
  SandboxError,
} from "../plain/input";
import type { RestoreOptions } from "./sandbox-panel";
import type { Scenario } from "./scenario";

// Shapes of the JSON that a scenario file or the control port may bring.

const outcome = oneOf("complete", "failed", "cancelled");

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
    status: oneOf("pending", "running", "complete", "failed", "cancelled"),
    outcome,
    locks: anyBoolean,
    target: objectOf<{ type: string; id: number | string }>({ type: anyText, id: anyId }, ["type", "id"]),
    params: mapOf((value, key) => (typeof value === "number" ? value : anyText(value, key))),
    ageSeconds: notNegative,
  },
  ["machineId", "action"],
);

export const background = objectOf<{ perSecond: number }>({ perSecond: notNegative }, ["perSecond"]);

export const nextRestore = objectOf<NextRestore & { machineId: string | number }>(
  { machineId: anyId, outcome, seconds: notNegative },
  ["machineId"],
);

export const foreignRestore = objectOf<
  RestoreOptions & { machineId: string | number; recoveryPointId: string | number }
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

/** Reads a scenario from a JSON file. An error is one line with the file and the key. */
export function readScenarioFile(path: string): Scenario {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    return scenario(content, "");
  } catch (error) {
    throw new SandboxError(`scenario file ${path}: ${messageOf(error)}`);
  }
}
