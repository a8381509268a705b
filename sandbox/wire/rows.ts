import { logOutput } from "../cloud/jobs";
import { formatId, type SandboxJob, type Machine, type SandboxPoint, isJobFinished } from "../cloud/model";
import type { Dialect } from "../dialect/dialect";
import { type AnswerRow, Stamp } from "./answers";

/** A row of the transaction list. */
export function transactionRow(job: SandboxJob, dialect: Dialect, detailed: boolean, now: number): AnswerRow {
  const at = (time: number | undefined): Stamp | null => (time === undefined ? null : stamp(time, dialect));
  const machine = machineFields(job, dialect);
  const id = transactionId(job.ordinal, dialect);
  const { status } = job;
  const log = detailed ? logOutput(job, now) : dialect.undetailedLog === "empty" ? "" : undefined;
  if (dialect.rows === "bare") return { id, ...withoutNulls(machine), status, log_output: log };
  return {
    id,
    ...machine,
    action: job.action,
    status,
    dependent_transaction_id:
      dialect.chain === "chainOnly" || job.dependsOn === undefined ? null : transactionId(job.dependsOn, dialect),
    chain_id: dialect.chain === "dependentOnly" ? null : (job.chain ?? null),
    lock_version: isJobFinished(job) ? 2 : job.status === "running" ? 1 : 0,
    params: { ...job.params },
    user_id: 3,
    actor: null,
    pid: job.startedAt === undefined ? null : 4000 + (job.ordinal % 20_000),
    priority: 10,
    allowed_cancel: !isJobFinished(job),
    scheduled: false,
    created_at: at(job.createdAt),
    updated_at: at(changedAt(job)),
    start_after: at(job.createdAt),
    started_at: at(job.startedAt),
    log_output: log,
  };
}

/** An item in a machine's log. */
export function logItemRow(job: SandboxJob, dialect: Dialect): AnswerRow {
  const id = 20_000 + job.ordinal * 2;
  const { action, status } = job;
  if (dialect.logTie === "none") return { id, text: `${action}: ${status}` };
  return {
    id,
    action,
    status,
    target_id: transactionId(job.ordinal, dialect),
    target_type: "Transaction",
    resource_diff_id: null,
    created_at: stamp(job.createdAt, dialect),
    updated_at: stamp(changedAt(job), dialect),
  };
}

/** A recovery point, in the list and in the answer to a restore. */
export function pointRow(point: SandboxPoint, machine: Machine, dialect: Dialect): AnswerRow {
  const word = point.state ?? (dialect.pointState === "absent" ? undefined : dialect.pointState);
  return {
    id: idValue(point.id),
    virtual_machine_id: idValue(machine.id),
    resource_id: 3,
    size: point.sizeBytes,
    state: word ?? null,
    created_at: stamp(point.createdAt, dialect),
    updated_at: null,
  };
}

/** The time of a job's last change. */
function changedAt(job: SandboxJob): number {
  return job.endedAt ?? job.startedAt ?? job.createdAt;
}

/** The fields that may name the machine. A restore's direct target is its recovery point. */
function machineFields(job: SandboxJob, { machineTie }: Dialect): AnswerRow {
  const machine = { type: "VirtualMachine", id: job.machineId };
  const names = { all: job.target ?? machine, associated: job.target, field: undefined, none: undefined };
  const parent = names[machineTie];
  const associated = machineTie === "all" || machineTie === "associated" ? machine : undefined;
  return {
    virtual_machine_id: machineTie === "field" ? idValue(job.machineId) : undefined,
    identifier: machineTie === "all" ? job.machineIdentifier : null,
    parent_id: parent === undefined ? null : idValue(parent.id),
    parent_type: parent?.type ?? null,
    associated_object_id: associated === undefined ? null : idValue(associated.id),
    associated_object_type: associated?.type ?? null,
  };
}

/** An id as a panel sends it: a number if it is decimal, otherwise text. */
export function idValue(id: string): bigint | string {
  return /^(0|[1-9][0-9]*)$/.test(id) ? BigInt(id) : id;
}

function transactionId(ordinal: number, { idStyle }: Dialect): bigint | string {
  return idValue(formatId(ordinal, idStyle));
}

function withoutNulls(row: AnswerRow): AnswerRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

type TimeStyle = Pick<Dialect, "utcOffsetMinutes" | "clockSkewSeconds">;

/** ISO 8601, by the panel's own clock and in its time zone. */
function stamp(at: number, style: TimeStyle): Stamp {
  const offset = style.utcOffsetMinutes;
  const written = new Date(panelTime(at, style) + offset * 60_000).toISOString().slice(0, 19);
  const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, "0");
  const zone = offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
  return new Stamp(`${written}${zone}`);
}

export function panelTime(at: number, style: Pick<Dialect, "clockSkewSeconds">): number {
  return at + style.clockSkewSeconds * 1000;
}
