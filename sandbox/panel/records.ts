import type { Cloud } from "../cloud/cloud";
import { logOutput, progress } from "../cloud/job-log";
import { type AcceptedRestore, type Job, type RestoreKind, type Status, isFinished } from "../cloud/model";
import type { FaultKind } from "../dialect/faults";

/** A request that the panel received. Times in records are milliseconds of the clock; ids are text. */
export interface RequestRecord {
  /** The first request is 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly at: number;
  readonly body?: string;
  /** The answer's status; absent without an answer. */
  readonly status?: number;
  readonly fault?: FaultKind;
}

export interface RestoreRecord {
  /** The transaction that restores. */
  readonly transactionId: string;
  /** All transactions of the chain, oldest first. */
  readonly transactionIds: readonly string[];
  readonly machineId: string;
  readonly recoveryPointId: string;
  readonly kind: RestoreKind;
  readonly paths?: readonly string[];
  /** `post`: a request to the panel. `somebody`: a test or a person at the control page, acting as another user. */
  readonly by: "post" | "somebody";
  readonly requestedAt: number;
  /** The start of its first transaction, and the end of its last one. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly status: Status;
}

export interface TransactionRecord {
  readonly id: string;
  readonly machineId: string;
  readonly action: string;
  readonly status: Status;
  readonly locks: boolean;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** From 0 to 1. */
  readonly progress: number;
  readonly log: string;
  readonly dependsOn?: string;
}

export interface MachineRecord {
  readonly id: string;
  readonly identifier: string;
  readonly label: string;
  readonly locked: boolean;
  readonly recoveryPoints: readonly {
    readonly id: string;
    readonly sizeBytes: number;
    readonly createdAt: number;
    /** Absent unless the scenario gives one; without it the point can be restored. */
    readonly state?: string;
  }[];
}

export function restoreRecord(cloud: Cloud, restore: AcceptedRestore): RestoreRecord {
  const jobs = restore.ordinals.flatMap((ordinal) => cloud.ledger.job(ordinal) ?? []);
  const startedAt = jobs[0]?.startedAt;
  const ends = jobs.flatMap((job) => job.endedAt ?? []);
  return {
    transactionId: cloud.idOf(restore.restoreOrdinal),
    transactionIds: restore.ordinals.map((ordinal) => cloud.idOf(ordinal)),
    machineId: restore.machineId,
    recoveryPointId: restore.pointId,
    kind: restore.kind,
    ...(restore.paths === undefined ? {} : { paths: restore.paths }),
    by: restore.by,
    requestedAt: restore.requestedAt,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(jobs.every(isFinished) ? { endedAt: Math.max(...ends) } : {}),
    status: statusOf(jobs),
  };
}

export function transactionRecord(cloud: Cloud, job: Job, now: number): TransactionRecord {
  return {
    id: cloud.idOf(job.ordinal),
    machineId: job.machineId,
    action: job.action,
    status: job.status,
    locks: job.locks,
    createdAt: job.createdAt,
    ...(job.startedAt === undefined ? {} : { startedAt: job.startedAt }),
    ...(job.endedAt === undefined ? {} : { endedAt: job.endedAt }),
    progress: progress(job, now),
    log: logOutput(job, now),
    ...(job.dependsOn === undefined ? {} : { dependsOn: cloud.idOf(job.dependsOn) }),
  };
}

export function machineRecords(cloud: Cloud): MachineRecord[] {
  return cloud.machines.all().map((machine) => ({
    id: machine.id,
    identifier: machine.identifier,
    label: machine.label,
    locked: cloud.isLocked(machine),
    recoveryPoints: [...machine.points],
  }));
}

/** The worst status in a chain. While a link is unfinished, the chain is too. */
function statusOf(jobs: readonly Job[]): Status {
  const has = (status: Status): boolean => jobs.some((job) => job.status === status);
  if (has("failed")) return "failed";
  if (has("cancelled")) return "cancelled";
  if (jobs.every((job) => job.status === "complete")) return "complete";
  return jobs.every((job) => job.status === "pending") ? "pending" : "running";
}

type MutableRecord = { -readonly [Key in keyof RequestRecord]: RequestRecord[Key] };

/** The newest hundred thousand requests: a panel may run for weeks. */
export class RequestLog {
  #records: MutableRecord[] = [];
  #count = 0;

  add(method: string, path: string, at: number, body: string, fault: FaultKind | undefined): (status: number) => void {
    const record: MutableRecord = {
      number: ++this.#count,
      method,
      path,
      at,
      ...(body === "" ? {} : { body: body.slice(0, 100_000) }),
      ...(fault === undefined ? {} : { fault }),
    };
    this.#records.push(record);
    if (this.#records.length > 110_000) this.#records = this.#records.slice(-100_000);
    return (status) => {
      record.status = status;
    };
  }

  all(): readonly RequestRecord[] {
    return this.#records;
  }
}
