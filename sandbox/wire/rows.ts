import { logOutput } from "../cloud/jobs";
import { formatId, type SandboxJob, type Machine, type SandboxPoint, isJobFinished } from "../cloud/model";
import type { Dialect } from "../dialect/dialect";
import { type AnswerRow, Stamp } from "./answers";

/** A row of the transaction list. */
export function transactionRow(job: SandboxJob, dialect: Dialect, detailed: boolean, now: number): AnswerRow {
  const at = (time: number | undefined): Stamp | null => (time === undefined ? null : stamp(time, dialect));
  const machine = machineFields(job, dialect);
  const id = transactionId(job.ordinal, dialect);
  const status = inWords(job.status, dialect);
  const log = detailed ? logOutput(job, now) : dialect.undetailedLog === "empty" ? "" : undefined;
  if (dialect.rows === "bare") return { id, ...withoutNulls(machine), status, log_output: log };
  return inDialect(
    {
      id,
      ...machine,
      action: job.action,
      status,
      dependent_transaction_id:
        dialect.chain === "chainOnly" || job.dependsOn === undefined ? null : transactionId(job.dependsOn, dialect),
      chain_id:
        dialect.chain === "dependentOnly" || job.chain === undefined
          ? null
          : dialect.chainIdType === "integer"
            ? job.chain
            : String(job.chain),
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
      finished_at: dialect.finishedAt === "sent" ? at(job.endedAt) : undefined,
      log_output: log,
    },
    dialect,
  );
}

/** An item of a machine's log: a transaction or an alert. */
export function logItemRow(kind: "transaction" | "alert", job: SandboxJob, dialect: Dialect): AnswerRow {
  const alert = kind === "alert";
  const id = 20_000 + job.ordinal * 2 + (alert ? 1 : 0);
  const action = alert ? "backup_space_is_running_low" : job.action;
  const status = inWords(alert ? "warn" : job.status, dialect);
  if (dialect.logTie === "none") return { id, text: `${action}: ${status}` };
  return inDialect(
    {
      id,
      action,
      status,
      target_id: alert ? 700 + job.ordinal : transactionId(job.ordinal, dialect),
      target_type: alert ? "Alert" : "Transaction",
      resource_diff_id: null,
      created_at: stamp(job.createdAt, dialect),
      updated_at: stamp(changedAt(job), dialect),
    },
    dialect,
  );
}

/** A recovery point, in the list and in the answer to a restore. */
export function pointRow(point: SandboxPoint, machine: Machine, dialect: Dialect): AnswerRow {
  const word = point.state ?? (dialect.pointState === "absent" ? undefined : dialect.pointState);
  return inDialect(
    {
      id: idValue(point.id),
      virtual_machine_id: idValue(machine.id),
      resource_id: 3,
      size: point.sizeBytes,
      state: word === undefined ? null : inWords(word, dialect),
      created_at: pointTime(point, machine, dialect),
      updated_at: null,
    },
    dialect,
  );
}

function pointTime(point: SandboxPoint, machine: Machine, dialect: Dialect): Stamp | null {
  const written = stamp(point.createdAt, dialect);
  switch (dialect.pointTime) {
    case "absent":
      return null;
    case "zone":
      return written;
    case "noZone":
      return new Stamp(written.text.replace(/(Z|[+-][0-9]{2}:[0-9]{2})$/, ""));
    case "shortZone":
      return new Stamp(written.text.replace(/Z$/, "+00:00").replace(/([+-][0-9]{2}):00$/, "$1"));
    case "future": {
      const isNewest = machine.points.every(({ createdAt }) => createdAt <= point.createdAt);
      return isNewest ? stamp(point.createdAt + 365 * 86_400_000, dialect) : written;
    }
  }
}

/** The time of a job's last change. */
export function changedAt(job: SandboxJob): number {
  return job.endedAt ?? job.startedAt ?? job.createdAt;
}

/** The fields that may name the machine. A restore's direct target is its recovery point. */
function machineFields(job: SandboxJob, { machineTie }: Dialect): AnswerRow {
  const is = (...ties: readonly Dialect["machineTie"][]): boolean => ties.includes(machineTie);
  const machine = { type: "VirtualMachine", id: job.machineId };
  const worked = job.target ?? (is("all", "target") ? machine : undefined);
  const parent = is("none", "field") ? undefined : is("parent") ? machine : worked;
  const ofTarget = job.target === undefined ? undefined : `${job.target.type.toLowerCase()}${job.target.id}`;
  const identifier = is("target") ? (ofTarget ?? job.machineIdentifier) : job.machineIdentifier;
  const associated = is("all", "associated");
  return {
    virtual_machine_id: is("field") ? idValue(job.machineId) : undefined,
    identifier: is("all", "identifier", "target") ? identifier : null,
    parent_id: parent === undefined ? null : idValue(parent.id),
    parent_type: parent?.type ?? null,
    associated_object_id: associated ? idValue(machine.id) : null,
    associated_object_type: associated ? machine.type : null,
  };
}

function inWords(word: string, { statusCase, statusSpelling }: Dialect): string {
  const spelled = word === "cancelled" ? statusSpelling : word;
  switch (statusCase) {
    case "lower":
      return spelled;
    case "upper":
      return spelled.toUpperCase();
    case "capitalized":
      return spelled.charAt(0).toUpperCase() + spelled.slice(1);
  }
}

/** An id as a panel sends it: a number if it is decimal, else text. */
export function idValue(id: string): bigint | string {
  return /^(0|[1-9][0-9]*)$/.test(id) ? BigInt(id) : id;
}

function transactionId(ordinal: number, { idStyle }: Dialect): bigint | string {
  return idValue(formatId(ordinal, idStyle));
}

function inDialect(row: AnswerRow, dialect: Dialect): AnswerRow {
  return dialect.nulls === "null" ? row : withoutNulls(row);
}

function withoutNulls(row: AnswerRow): AnswerRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

type TimeStyle = Pick<Dialect, "utcOffsetMinutes" | "timestampPrecision" | "clockSkewSeconds">;

/** ISO 8601, on the panel's own clock and in its time zone. */
export function stamp(at: number, style: TimeStyle): Stamp {
  const offset = style.utcOffsetMinutes;
  const local = new Date(panelTime(at, style) + offset * 60_000).toISOString();
  const written = local.slice(0, style.timestampPrecision === "seconds" ? 19 : 23);
  const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, "0");
  const zone = offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
  return new Stamp(`${written}${zone}`);
}

export function panelTime(at: number, style: Pick<Dialect, "clockSkewSeconds">): number {
  return at + style.clockSkewSeconds * 1000;
}
