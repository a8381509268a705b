import type { Dialect } from "../dialect/dialect";
import { word } from "../plain/clock";
import { present } from "../plain/input";

/** The panel's own state, as plain data that is written to the state file unchanged. Times are in milliseconds by the panel's clock. */

export type Outcome = "complete" | "failed" | "cancelled";
export type Status = "pending" | "running" | Outcome;

export interface SandboxPoint {
  readonly id: string;
  readonly sizeBytes: number;
  readonly createdAt: number;
  /** The word for this point's state. If absent, the point can be restored, and its state is shown with the dialect's word. */
  readonly state?: string;
}

export interface Machine {
  readonly id: string;
  /** The alphanumeric name, which paths accept instead of the id. */
  readonly identifier: string;
  readonly label: string;
  /** In order of creation. */
  readonly points: SandboxPoint[];
  /** The durations of the machine's restores at speed 1. */
  readonly restoreSeconds: number;
  readonly fileSeconds: number;
}

/** One transaction. Internally it is called a job; the panel sends it as a row, in the dialect's words. */
export interface SandboxJob {
  /** The job's place in the list; the oldest is 0. */
  readonly ordinal: number;
  readonly machineId: string;
  readonly machineIdentifier: string;
  readonly action: string;
  /** The object that the job works on, if that is not the machine itself. */
  readonly target?: { readonly type: string; readonly id: string };
  readonly params: Readonly<Record<string, string | number>>;
  /** If true, the machine does no other work while the job runs. */
  readonly locks: boolean;
  readonly createdAt: number;
  readonly listedAt: number;
  /** The earliest time at which the runner may start the job. */
  readonly startAfter: number;
  readonly dependsOn?: number;
  readonly chain?: number;
  runsForMs: number;
  willEnd: Outcome;
  status: Status;
  startedAt?: number;
  endedAt?: number;
}

export type RestoredPart = "machine" | "files";

/** A restore that the panel has accepted. Its transactions show how it went. */
export interface AcceptedRestore {
  /** The transaction that does the restoring. */
  readonly transactionId: string;
  /** All transactions of the chain, oldest first. */
  readonly transactionIds: readonly string[];
  readonly machineId: string;
  readonly recoveryPointId: string;
  readonly kind: RestoredPart;
  readonly paths?: readonly string[];
  /** `post`: a request to the panel. `somebody`: a test or the control page, acting as another user. */
  readonly by: "post" | "somebody";
  readonly requestedAt: number;
}

export function isJobFinished(job: SandboxJob): boolean {
  return job.status !== "pending" && job.status !== "running";
}

const firstInteger = 5000n;
/** Above 2^53, where neighboring integers can become the same JavaScript number. */
const firstBig = 9_100_000_000_000_000_000n;
/** Multiplying each place by an odd number modulo 2^32 gives different ids that do not show the order. */
const multiplier = 2_654_435_761n;

/** Converts a transaction's ordinal (its place in the list; the oldest is 0) to its id. No table is kept, because there may be millions of rows. */
export function formatId(ordinal: number, style: Dialect["idStyle"]): string {
  const place = BigInt(ordinal);
  if (style === "alphanumeric") return `t${((place * multiplier) % 2n ** 32n).toString(36).padStart(7, "0")}`;
  return String((style === "big" ? firstBig : firstInteger) + place);
}

export interface MachineSpec {
  readonly id: number | string;
  /** The alphanumeric name, which paths accept instead of the id. @default made from the seed and the id */
  readonly identifier?: string;
  readonly label?: string;
  readonly recoveryPoints?: readonly (number | string | RecoveryPointSpec)[];
  /** Duration of a whole-machine restore at speed 1, once the runner has picked it up. @default 9 */
  readonly restoreSeconds?: number;
  /** Duration of a file restore. @default 4 */
  readonly fileSeconds?: number;
}

export interface RecoveryPointSpec {
  readonly id: number | string;
  readonly sizeBytes?: number;
  /** The point's age. @default one day between points, the last point an hour old */
  readonly ageSeconds?: number;
  /** The panel's word for the point's state. @default the dialect's word for a point that can be restored */
  readonly state?: string;
}

const daySeconds = 86_400;

export function makeMachine(spec: MachineSpec, seed: number, now: number): Machine {
  const id = String(spec.id);
  const points = spec.recoveryPoints ?? [1007, 1008, 1009];
  return {
    id,
    identifier: spec.identifier ?? word(seed, "machine", id),
    label: spec.label ?? `machine-${id}`,
    points: points.map((point, index) => {
      const ageSeconds = 3600 + (points.length - 1 - index) * daySeconds;
      return makePoint({ ageSeconds, ...(typeof point === "object" ? point : { id: point }) }, index, now);
    }),
    restoreSeconds: spec.restoreSeconds ?? 9,
    fileSeconds: spec.fileSeconds ?? 4,
  };
}

/** Makes the machine's recovery point with this index, taken now unless `spec` sets an age. */
export function makePoint(spec: RecoveryPointSpec, index: number, now: number): SandboxPoint {
  return present({
    id: String(spec.id),
    sizeBytes: spec.sizeBytes ?? 8 * 2 ** 30 + index * 2 ** 28,
    createdAt: now - (spec.ageSeconds ?? 0) * 1000,
    state: spec.state,
  });
}
