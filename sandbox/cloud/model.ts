/** The panel's own state, as plain data: it goes through the state file as it is. Times are milliseconds of the clock. */

export type Outcome = "complete" | "failed" | "cancelled";
export type Status = "pending" | "running" | Outcome;

export interface RecoveryPoint {
  readonly id: string;
  readonly sizeBytes: number;
  readonly createdAt: number;
  /** A word of its own; without one it can be restored, and the dialect has the word for that. */
  readonly state?: string;
}

export interface Machine {
  readonly id: string;
  /** The alphanumeric name that the path takes as well as the id. */
  readonly identifier: string;
  readonly label: string;
  readonly createdAt: number;
  /** In the order in which they were added. */
  readonly points: RecoveryPoint[];
  /** How long a restore of the whole machine, or of files, runs at speed 1. */
  readonly restoreSeconds: number;
  readonly fileSeconds: number;
}

/** One transaction. In here it is a job; what the panel sends of it is a row, in the words of the dialect. */
export interface Job {
  /** Its place in the list; the oldest is 0. */
  readonly ordinal: number;
  readonly machineId: string;
  readonly machineIdentifier: string;
  readonly action: string;
  /** What the work is done to, when that is not the machine itself. */
  readonly target?: { readonly type: string; readonly id: string };
  readonly params: Readonly<Record<string, string | number>>;
  /** Whether it takes the machine for itself while it runs. */
  readonly locks: boolean;
  readonly createdAt: number;
  readonly listedAt: number;
  /** When the runner may start it, at the earliest. */
  readonly startAfter: number;
  readonly dependsOn?: number;
  readonly chain?: number;
  runsForMs: number;
  willEnd: Outcome;
  status: Status;
  startedAt?: number;
  endedAt?: number;
}

export type RestoreKind = "machine" | "files";

/** A restore as the panel accepted it. Its jobs tell how it went. */
export interface AcceptedRestore {
  readonly kind: RestoreKind;
  readonly machineId: string;
  readonly pointId: string;
  readonly paths?: readonly string[];
  /** `post`: by a request to the panel. `somebody`: by a test or a person at the control, as another user would. */
  readonly by: "post" | "somebody";
  readonly requestedAt: number;
  /** All its transactions, oldest first, and which of them is the restore proper. */
  readonly ordinals: readonly number[];
  readonly restoreOrdinal: number;
}

export function isFinished(job: Job): boolean {
  return job.status !== "pending" && job.status !== "running";
}
