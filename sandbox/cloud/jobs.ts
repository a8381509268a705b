import type { Dialect } from "../dialect/dialect";
import { word } from "../plain/clock";
import { present } from "../plain/input";
import type { SandboxJob, Machine, Outcome, RestoredPart } from "./model";

export interface TransactionSpec {
  readonly machineId: number | string;
  readonly action: string;
  /** The duration at speed 1. @default 5 */
  readonly seconds?: number;
  /** The initial status. A job with a finished status has already ended when it is added. @default "pending" */
  readonly status?: SandboxJob["status"];
  /** The outcome. @default "complete" */
  readonly outcome?: Outcome;
  /** If true, the machine does no other work in the meantime. @default true */
  readonly locks?: boolean;
  /** The job's direct target, if that is not the machine. */
  readonly target?: { readonly type: string; readonly id: number | string };
  readonly params?: Readonly<Record<string, string | number>>;
  /** How long ago the job was created and started. Only for a finished `status`. @default 0 */
  readonly ageSeconds?: number;
}

/** The time at which new jobs are created, and their place in the list. */
interface Start {
  readonly ordinal: number;
  readonly now: number;
  readonly speed: number;
  /** Delay before the runner picks up a new job. */
  readonly pickupSeconds: number;
}

interface RestoreSpec {
  readonly kind: RestoredPart;
  readonly machine: Machine;
  readonly pointId: string;
  readonly seconds: number;
  readonly outcome: Outcome;
}

const actionNames: Readonly<Record<Dialect["actionNames"], Readonly<Record<RestoredPart, string>>>> = {
  backup: { machine: "restore_backup", files: "restore_file_entries" },
  recoveryPoint: { machine: "restore_recovery_point", files: "restore_files_from_recovery_point" },
  camel: { machine: "RestoreVm", files: "RestoreFileEntries" },
  other: { machine: "rollback_virtual_machine", files: "recover_file_entries" },
};

/** The jobs of a restore, and the job among them that does the restoring. Each job waits for the previous job. */
export function restoreJobs(
  spec: RestoreSpec,
  dialect: Dialect,
  start: Start,
): { jobs: SandboxJob[]; restore: SandboxJob } {
  // Files are restored into a running machine, so nothing is stopped or started.
  const chained = dialect.chain !== "single" && spec.kind === "machine";
  const first = start.ordinal;
  const job = (index: number, action: string, share: number, own: Partial<SandboxJob> = {}): SandboxJob => ({
    ordinal: first + index,
    machineId: spec.machine.id,
    machineIdentifier: spec.machine.identifier,
    action,
    params: {},
    locks: true,
    createdAt: start.now,
    listedAt: start.now + ms(dialect.listingDelaySeconds, start),
    startAfter: start.now + ms(start.pickupSeconds, start),
    ...(index === 0 ? {} : { dependsOn: first + index - 1 }),
    ...(chained ? { chain: 900 + first } : {}),
    runsForMs: ms(spec.seconds * share, start),
    willEnd: "complete",
    status: "pending",
    ...own,
  });
  const action = actionNames[dialect.actionNames][spec.kind];
  const restore = job(chained ? 1 : 0, action, chained ? 0.8 : 1, {
    target: { type: "RecoveryPoint", id: spec.pointId },
    params: paramsOf(spec, dialect),
    willEnd: spec.outcome,
  });
  if (!chained) return { jobs: [restore], restore };
  const stop = job(0, "stop_virtual_machine", 0.1, { params: { shutdown_type: "soft" } });
  return { jobs: [stop, restore, job(2, "startup_virtual_machine", 0.1)], restore };
}

function paramsOf({ pointId }: RestoreSpec, { params }: Dialect): SandboxJob["params"] {
  switch (params) {
    case "empty":
      return {};
    case "point":
      return { recovery_point_id: /^[0-9]{1,15}$/.test(pointId) ? Number(pointId) : pointId };
    case "secret":
      return { remote_ip: "192.0.2.7", encryption_key: "correct-horse-battery" };
  }
}

/** Makes a job for work other than a restore. The job's machine need not exist in the cloud. */
export function otherJob(spec: TransactionSpec, machine: Machine | undefined, seed: number, start: Start): SandboxJob {
  const id = machine?.id ?? String(spec.machineId);
  const { status = "pending", target } = spec;
  const createdAt = start.now - (spec.ageSeconds ?? 0) * 1000;
  const runsForMs = ms(spec.seconds ?? 5, start);
  const ended = status === "pending" || status === "running" ? undefined : status;
  return present({
    ordinal: start.ordinal,
    machineId: id,
    machineIdentifier: machine?.identifier ?? word(seed, "machine", id),
    action: spec.action,
    target: target && { type: target.type, id: String(target.id) },
    params: spec.params ?? {},
    locks: spec.locks ?? true,
    createdAt,
    listedAt: createdAt,
    startAfter: start.now + ms(start.pickupSeconds, start),
    runsForMs,
    willEnd: spec.outcome ?? ended ?? "complete",
    status,
    startedAt: status === "pending" ? undefined : createdAt,
    endedAt: ended && Math.min(start.now, createdAt + runsForMs),
  });
}

function ms(seconds: number, { speed }: Start): number {
  return (seconds * 1000) / speed;
}

/** A job's progress, from 0 to 1. */
export function progress(job: SandboxJob, now: number): number {
  if (job.startedAt === undefined) return 0;
  if (job.status === "complete") return 1;
  const share = ((job.endedAt ?? now) - job.startedAt) / Math.max(1, job.runsForMs);
  // A failed job never gets past 90%, however long it runs.
  return Math.min(job.status === "failed" ? 0.9 : 1, Math.max(0, share));
}

/** A job's log, which grows while the job runs. */
export function logOutput(job: SandboxJob, now: number): string {
  if (job.startedAt === undefined) return job.status === "cancelled" ? "Cancelled before it was started\n" : "";
  const done = progress(job, now);
  const subject = job.target === undefined ? `machine ${job.machineId}` : `${job.target.type} ${job.target.id}`;
  const lines = [`Remote server: backup.internal`, `Executing ${job.action} on ${subject}`];
  const secret = job.params["encryption_key"];
  if (secret !== undefined) lines.push(`mount --options username=backup,password=${String(secret)} /mnt/backups`);
  for (const percent of [10, 50, 90]) if (done * 100 >= percent) lines.push(`${String(percent)}% done`);
  if (job.status === "complete") lines.push("100% done", "Finished successfully");
  if (job.status === "failed") lines.push("Fatal: input/output error while reading from the backup resource");
  if (job.status === "cancelled") lines.push("Cancelled by an operator");
  return `${lines.join("\n")}\n`;
}
