import { logOutput } from "../cloud/job-log";
import { type Job, type Machine, type RecoveryPoint, isFinished } from "../cloud/model";
import { formatId } from "../cloud/transaction-id";
import type { Dialect } from "../dialect/dialect";
import { type Field, type Value, boolean, id, integer, nothing, object, text } from "./value";

/** A row of the transaction list. */
export function transactionRow(job: Job, dialect: Dialect, detailed: boolean, now: number): Value {
  return object(transactionFields(job, dialect, detailed, now));
}

export function transactionFields(job: Job, dialect: Dialect, detailed: boolean, now: number): readonly Field[] {
  const at = (time: number | undefined): Value =>
    time === undefined ? nothing : { kind: "datetime", text: stamp(time, dialect) };
  const other = (ordinal: number | undefined): Value =>
    ordinal === undefined ? nothing : id(formatId(ordinal, dialect.idStyle));
  if (dialect.rows === "bare") {
    const named = machineFields(job, dialect).filter(([, value]) => value.kind !== "null");
    const status = text(formatStatus(job.status, dialect));
    return [["id", other(job.ordinal)], ...named, ["status", status], ...log(job, dialect, detailed, now)];
  }
  return fields(
    [
      ["id", other(job.ordinal)],
      ...machineFields(job, dialect),
      ["action", text(job.action)],
      ["status", text(formatStatus(job.status, dialect))],
      ["dependent_transaction_id", dialect.chain === "chainOnly" ? nothing : other(job.dependsOn)],
      ["chain_id", dialect.chain === "dependentOnly" ? nothing : chainId(job, dialect)],
      ["lock_version", integer(isFinished(job) ? 2 : job.status === "running" ? 1 : 0)],
      ["params", params(job)],
      ["user_id", integer(3)],
      ["actor", nothing],
      ["pid", job.startedAt === undefined ? nothing : integer(4000 + (job.ordinal % 20_000))],
      ["priority", integer(10)],
      ["allowed_cancel", boolean(!isFinished(job))],
      ["scheduled", boolean(false)],
      ["created_at", at(job.createdAt)],
      ["updated_at", at(changedAt(job))],
      ["start_after", at(job.createdAt)],
      ["started_at", at(job.startedAt)],
      ...(dialect.finishedAt === "sent" ? [["finished_at", at(job.endedAt)] as const] : []),
      ...log(job, dialect, detailed, now),
    ],
    dialect,
  );
}

/** An entry of a machine's log, which names its transaction. */
export function logItemRow(entry: LogEntry, dialect: Dialect): Value {
  const { job } = entry;
  const of = (time: number): Value => ({ kind: "datetime", text: stamp(time, dialect) });
  const alert = entry.kind === "alert";
  if (dialect.logTie === "none") {
    const line = alert ? "Backup space is running low" : `${job.action}: ${formatStatus(job.status, dialect)}`;
    return object([
      ["id", id(String(20_000 + job.ordinal * 2 + (alert ? 1 : 0)))],
      ["text", text(line)],
    ]);
  }
  return row(
    [
      ["id", id(String(20_000 + job.ordinal * 2 + (alert ? 1 : 0)))],
      ["action", text(alert ? "backup_space_is_running_low" : job.action)],
      ["status", text(alert ? inCase("warn", dialect) : formatStatus(job.status, dialect))],
      ["target_id", alert ? integer(700 + job.ordinal) : id(formatId(job.ordinal, dialect.idStyle))],
      ["target_type", text(alert ? "Alert" : "Transaction")],
      ["resource_diff_id", nothing],
      ["created_at", of(job.createdAt)],
      ["updated_at", of(changedAt(job))],
    ],
    dialect,
  );
}

/** A recovery point, in the list and in the answer to a restore. */
export function pointFields(point: RecoveryPoint, machine: Machine, dialect: Dialect): readonly Field[] {
  const word = point.state ?? (dialect.pointState === "absent" ? undefined : dialect.pointState);
  return fields(
    [
      ["id", id(point.id)],
      ["virtual_machine_id", id(machine.id)],
      ["resource_id", integer(3)],
      ["size", integer(point.sizeBytes)],
      ["state", word === undefined ? nothing : text(inCase(word, dialect))],
      ["created_at", pointTime(point, machine, dialect)],
      ["updated_at", nothing],
    ],
    dialect,
  );
}

function pointTime(point: RecoveryPoint, machine: Machine, dialect: Dialect): Value {
  const written = stamp(point.createdAt, dialect);
  const datetime = (text: string): Value => ({ kind: "datetime", text });
  switch (dialect.pointTime) {
    case "absent":
      return nothing;
    case "zone":
      return datetime(written);
    case "noZone":
      return datetime(written.replace(/(Z|[+-][0-9]{2}:[0-9]{2})$/, ""));
    case "shortZone":
      return datetime(written.replace(/Z$/, "+00:00").replace(/([+-][0-9]{2}):00$/, "$1"));
    case "future": {
      const isNewest = machine.points.every(({ createdAt }) => createdAt <= point.createdAt);
      return datetime(isNewest ? stamp(point.createdAt + 365 * 86_400_000, dialect) : written);
    }
  }
}

/** The time of a job's last change. */
export function changedAt(job: Job): number {
  return job.endedAt ?? job.startedAt ?? job.createdAt;
}

export interface LogEntry {
  readonly kind: "transaction" | "alert";
  readonly job: Job;
}

function formatStatus(status: Job["status"], dialect: Pick<Dialect, "statusCase" | "statusSpelling">): string {
  return inCase(status === "cancelled" ? dialect.statusSpelling : status, dialect);
}

function inCase(word: string, dialect: Pick<Dialect, "statusCase">): string {
  switch (dialect.statusCase) {
    case "lower":
      return word;
    case "upper":
      return word.toUpperCase();
    case "capitalized":
      return word.charAt(0).toUpperCase() + word.slice(1);
  }
}

/** The fields that may name the machine. A restore's direct target is its recovery point. */
function machineFields(job: Job, dialect: Dialect): Field[] {
  const named = dialect.machineTie;
  const associated = named === "all" || named === "associated";
  const namesParent = named === "parent" || ((named === "all" || named === "target") && job.target === undefined);
  const parent = namesParent
    ? { type: "VirtualMachine", id: job.machineId }
    : named === "none" || named === "field"
      ? undefined
      : job.target;
  return [
    ...(named === "field" ? [["virtual_machine_id", id(job.machineId)] as const] : []),
    ["identifier", identifier(job, named)],
    ["parent_id", id(parent?.id)],
    ["parent_type", parent === undefined ? nothing : text(parent.type)],
    ["associated_object_id", associated ? id(job.machineId) : nothing],
    ["associated_object_type", associated ? text("VirtualMachine") : nothing],
  ];
}

function identifier(job: Job, named: Dialect["machineTie"]): Value {
  switch (named) {
    case "all":
    case "identifier":
      return text(job.machineIdentifier);
    case "target":
      return text(
        job.target === undefined ? job.machineIdentifier : `${job.target.type.toLowerCase()}${job.target.id}`,
      );
    case "associated":
    case "parent":
    case "field":
    case "none":
      return nothing;
  }
}

function chainId(job: Job, dialect: Dialect): Value {
  if (job.chain === undefined) return nothing;
  return dialect.chainIdType === "integer" ? integer(job.chain) : text(String(job.chain));
}

function params(job: Job): Value {
  return object(
    Object.entries(job.params).map(([name, value]) => [name, typeof value === "number" ? integer(value) : text(value)]),
  );
}

function log(job: Job, dialect: Dialect, detailed: boolean, now: number): Field[] {
  if (detailed) return [["log_output", text(logOutput(job, now))]];
  return dialect.undetailedLog === "empty" ? [["log_output", text("")]] : [];
}

function row(all: readonly Field[], dialect: Dialect): Value {
  return object(fields(all, dialect));
}

function fields(all: readonly Field[], dialect: Dialect): readonly Field[] {
  return dialect.nulls === "null" ? all : all.filter(([, value]) => value.kind !== "null");
}

type TimeStyle = Pick<Dialect, "utcOffsetMinutes" | "timestampPrecision" | "clockSkewSeconds">;

/** ISO 8601, on the panel's own clock and in its time zone. */
export function stamp(at: number, style: TimeStyle): string {
  const offset = style.utcOffsetMinutes;
  const local = new Date(panelTime(at, style) + offset * 60_000).toISOString();
  const written = style.timestampPrecision === "seconds" ? local.slice(0, 19) : local.slice(0, 23);
  if (offset === 0) return `${written}Z`;
  const size = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${written}${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

export function panelTime(at: number, style: TimeStyle): number {
  return at + style.clockSkewSeconds * 1000;
}
