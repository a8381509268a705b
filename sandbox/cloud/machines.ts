import { word } from "../plain/chance";
import { present } from "../plain/input";
import type { Machine, RecoveryPoint } from "./model";

export interface MachineSpec {
  readonly id: number | string;
  /** The alphanumeric name that paths accept as well. @default made from the seed and the id */
  readonly identifier?: string;
  readonly label?: string;
  readonly recoveryPoints?: readonly (number | string | RecoveryPointSpec)[];
  /** Duration of a restore of the whole machine at speed 1, from its pick-up. @default 9 */
  readonly restoreSeconds?: number;
  /** Duration of a restore of files. @default 4 */
  readonly fileSeconds?: number;
}

export interface RecoveryPointSpec {
  readonly id: number | string;
  readonly sizeBytes?: number;
  /** The point's age. @default a day per point, the last point an hour old */
  readonly ageSeconds?: number;
  /** The panel's word for its state. @default the dialect's word for a point that can be restored */
  readonly state?: string;
}

const daySeconds = 86_400;

export function makeMachine(spec: MachineSpec, seed: number, now: number): Machine {
  const id = String(spec.id);
  const points = spec.recoveryPoints ?? [1007, 1008, 1009];
  return {
    id,
    identifier: spec.identifier ?? word(14, seed, "machine", id),
    label: spec.label ?? `machine-${id}`,
    createdAt: now - 90 * daySeconds * 1000,
    points: points.map((point, index) => {
      const ageSeconds = 3600 + (points.length - 1 - index) * daySeconds;
      return makePoint({ ageSeconds, ...(typeof point === "object" ? point : { id: point }) }, index, now);
    }),
    restoreSeconds: spec.restoreSeconds ?? 9,
    fileSeconds: spec.fileSeconds ?? 4,
  };
}

/** Makes the machine's recovery point number `index`, taken now unless it has an age. */
export function makePoint(spec: RecoveryPointSpec, index: number, now: number): RecoveryPoint {
  return present({
    id: String(spec.id),
    sizeBytes: spec.sizeBytes ?? 8 * 2 ** 30 + index * 2 ** 28,
    createdAt: now - (spec.ageSeconds ?? 0) * 1000,
    state: spec.state,
  });
}
