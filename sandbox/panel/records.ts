import type { Cloud } from "../cloud/cloud";
import { logOutput, progress } from "../cloud/jobs";
import type { AcceptedRestore, SandboxJob, Machine, SandboxPoint, Status } from "../cloud/model";
import type { FaultKind } from "../dialect/faults";
import { present } from "../plain/input";

/** A request that the panel received. Times in records are in milliseconds by the panel's clock; ids are strings. */
export interface RequestRecord {
  /** The first request has number 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly at: number;
  readonly body?: string;
  /** The answer's status; absent if there was no answer. */
  readonly status?: number;
  readonly fault?: FaultKind;
}

export interface PostedRestoreRecord extends AcceptedRestore {
  /** The start of the first transaction, and the end of the last. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly status: Status;
}

export interface TransactionRecord extends Pick<
  SandboxJob,
  "machineId" | "action" | "status" | "locks" | "createdAt" | "startedAt" | "endedAt"
> {
  readonly id: string;
  /** From 0 to 1. */
  readonly progress: number;
  readonly log: string;
  readonly dependsOn?: string;
}

export interface MachineRecord extends Pick<Machine, "id" | "identifier" | "label"> {
  readonly locked: boolean;
  readonly recoveryPoints: readonly SandboxPoint[];
}

export function restoreRecord(cloud: Cloud, restore: AcceptedRestore): PostedRestoreRecord {
  const jobs = restore.transactionIds.map((id) => cloud.byId.get(id)).filter((job) => job !== undefined);
  const ends = jobs.map(({ endedAt }) => endedAt).filter((at) => at !== undefined);
  return present({
    ...restore,
    startedAt: jobs[0]?.startedAt,
    endedAt: ends.length === jobs.length ? Math.max(...ends) : undefined,
    status: statusOf(jobs),
  });
}

export function transactionRecord(cloud: Cloud, job: SandboxJob, now: number): TransactionRecord {
  const { machineId, action, status, locks, createdAt, startedAt, endedAt } = job;
  return present({
    id: cloud.idOf(job.ordinal),
    ...{ machineId, action, status, locks, createdAt, startedAt, endedAt },
    progress: progress(job, now),
    log: logOutput(job, now),
    dependsOn: job.dependsOn === undefined ? undefined : cloud.idOf(job.dependsOn),
  });
}

export function machineRecord(cloud: Cloud, machine: Machine): MachineRecord {
  const { id, identifier, label, points } = machine;
  return { id, identifier, label, locked: cloud.isLocked(machine), recoveryPoints: [...points] };
}

/** A chain's status: failed or cancelled if any link is; otherwise the links' common status, or running if their statuses differ. */
function statusOf(jobs: readonly SandboxJob[]): Status {
  const statuses = new Set(jobs.map((job) => job.status));
  const bad = (["failed", "cancelled"] as const).find((status) => statuses.has(status));
  const [first = "pending"] = statuses;
  return bad ?? (statuses.size > 1 ? "running" : first);
}
