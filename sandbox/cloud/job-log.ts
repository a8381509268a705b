import type { Job } from "./model";

/** A job's progress, from 0 to 1. */
export function progress(job: Job, now: number): number {
  if (job.startedAt === undefined) return 0;
  if (job.status === "complete") return 1;
  // A failed job never reached its end, however long it took.
  if (job.status === "failed") return Math.min(0.9, share(job, job.endedAt ?? now));
  return share(job, job.endedAt ?? now);
}

/** A job's log, which grows while the job runs. */
export function logOutput(job: Job, now: number): string {
  if (job.startedAt === undefined) return job.status === "cancelled" ? "Cancelled before it was started\n" : "";
  const done = progress(job, now);
  const subject = job.target === undefined ? `machine ${job.machineId}` : `${job.target.type} ${job.target.id}`;
  const lines = [`Remote server: backup.internal`, `Executing ${job.action} on ${subject}`];
  const secret = job.params["encryption_key"];
  if (secret !== undefined) lines.push(`mount --options username=backup,password=${String(secret)} /mnt/backups`);
  for (const percent of [10, 25, 50, 75, 90]) if (done * 100 >= percent) lines.push(`${String(percent)}% done`);
  if (job.status === "complete") lines.push("100% done", "Finished successfully");
  if (job.status === "failed") lines.push("Fatal: input/output error while reading from the backup resource");
  if (job.status === "cancelled") lines.push("Cancelled by an operator");
  return `${lines.join("\n")}\n`;
}

function share(job: Job, at: number): number {
  if (job.startedAt === undefined || job.runsForMs <= 0) return 1;
  return Math.min(1, Math.max(0, (at - job.startedAt) / job.runsForMs));
}
