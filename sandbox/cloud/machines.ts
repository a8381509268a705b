import { word } from "../plain/chance";
import { optional } from "../plain/input";
import type { Machine, RecoveryPoint } from "./model";

export interface MachineSpec {
  readonly id: number | string;
  /** The alphanumeric name the path takes as well. @default made up from the seed and the id */
  readonly identifier?: string;
  readonly label?: string;
  readonly recoveryPoints?: readonly (number | string | RecoveryPointSpec)[];
  /** How long a restore of the whole machine runs at speed 1, once it was picked up. @default 9 */
  readonly restoreSeconds?: number;
  /** The same for a restore of files. @default 4 */
  readonly fileSeconds?: number;
}

export interface RecoveryPointSpec {
  readonly id: number | string;
  readonly sizeBytes?: number;
  /** @default one day per point, the last of them an hour old */
  readonly ageSeconds?: number;
  /** The panel's word for how it stands. @default the dialect's word for one that can be restored */
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

/** The machine's point in this place, made now unless it has an age. */
export function makePoint(spec: RecoveryPointSpec, index: number, now: number): RecoveryPoint {
  return {
    id: String(spec.id),
    sizeBytes: spec.sizeBytes ?? 8 * 2 ** 30 + index * 2 ** 28,
    createdAt: now - (spec.ageSeconds ?? 0) * 1000,
    ...optional("state", spec.state),
  };
}

/** Machines by id and by identifier: a path may carry either. */
export class Machines {
  readonly #byName = new Map<string, Machine>();
  readonly #all: Machine[] = [];

  add(machine: Machine): void {
    this.#all.push(machine);
    this.#byName.set(machine.identifier, machine);
    this.#byName.set(machine.id, machine);
  }

  find(name: string): Machine | undefined {
    return this.#byName.get(name);
  }

  all(): readonly Machine[] {
    return this.#all;
  }
}
