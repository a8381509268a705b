import { wordSet } from "../panel/conventions";
import type * as panel from "../panel/types";
import { isObject, omit } from "../plain/plain";
import type { Point } from "../points/points";

/*
 * Fields that a panel may leave out are declared as `status: string | undefined`, not as `status?: string`. On an Output, the
 * first can be used directly: `row.status` is an `Output<string | undefined>`. With the second, the SDK's types make the Output
 * itself optional, and programs would need to write `row.status?.` every time.
 */

/** A transaction of the panel: one operation, such as a restore, a backup or a start. Fields that the panel did not send are undefined. */
export interface Transaction {
  /** The transaction's id, as text even if it is a number. */
  readonly id: string;
  /** The panel's name for the transaction's object: usually the machine, sometimes a backup or a user. */
  readonly identifier: string | undefined;
  /** The operation, in the panel's words: `restore_backup`, `stop_virtual_machine`, … */
  readonly action: string | undefined;
  /** The status, in the panel's words: `pending`, `running`, `complete`, `failed`, `cancelled`, … */
  readonly status: string | undefined;
  /** The id of the object that the transaction works on: a machine, a backup, a disk, … */
  readonly parentId: string | undefined;
  /** The type of the object that the transaction works on, such as `VirtualMachine`. */
  readonly parentType: string | undefined;
  /** The id of the object that the transaction belongs to, usually the machine. */
  readonly associatedObjectId: string | undefined;
  /** The type of the object that the transaction belongs to. */
  readonly associatedObjectType: string | undefined;
  /** The transaction that must end before this transaction starts. */
  readonly dependentTransactionId: string | undefined;
  /** The id of the chain; all transactions in one job share it. */
  readonly chainId: string | undefined;
  /** The number of times the row has changed. */
  readonly lockVersion: number | undefined;
  /** The job's parameters, only with `detailed`; they may contain secrets. */
  readonly params: Record<string, unknown> | undefined;
  /** The job's printed output, only with `detailed`; it may contain secrets. */
  readonly logOutput: string | undefined;
  /** The id of the user for whom the transaction was started. */
  readonly userId: string | undefined;
  /** The name of whoever started the transaction, in the panel's words. */
  readonly actor: string | undefined;
  /** The id of the process on the panel that carries the transaction out. */
  readonly pid: number | undefined;
  /** The priority of the transaction in the panel's queue. */
  readonly priority: number | undefined;
  /** True if the transaction can be cancelled. */
  readonly allowedCancel: boolean | undefined;
  /** True if a schedule started the transaction. */
  readonly scheduled: boolean | undefined;
  /** The time of the request. All times are as the panel wrote them (ISO 8601). */
  readonly createdAt: string | undefined;
  /** The time at which the row last changed. */
  readonly updatedAt: string | undefined;
  /** The earliest time at which the transaction may start. */
  readonly startAfter: string | undefined;
  /** The time at which the transaction started. */
  readonly startedAt: string | undefined;
  /** The time at which the transaction ended, on panels that report it. */
  readonly finishedAt: string | undefined;
  /** Everything the panel sent, under its own names; log text and `params` only with `detailed`. */
  readonly fields: Record<string, unknown>;
}

/** An entry of a machine's log. Fields that the panel did not send are undefined. */
export interface LogItem {
  /** The entry's id, as text even if it is a number. */
  readonly id: string | undefined;
  /** The operation, in the panel's words. */
  readonly action: string | undefined;
  /** The status, in the panel's words. */
  readonly status: string | undefined;
  /** The id of the entry's target: the transaction's id if `targetType` is `Transaction`. */
  readonly targetId: string | undefined;
  /** The type of the entry's target, such as `Transaction`. */
  readonly targetType: string | undefined;
  /** The id of the transaction that the entry names, as its target or in a field of its own. */
  readonly transactionId: string | undefined;
  /** The time at which the entry was written. All times are as the panel wrote them (ISO 8601). */
  readonly createdAt: string | undefined;
  /** The time at which the entry last changed. */
  readonly updatedAt: string | undefined;
  /** The id of the panel's record of the change, on panels that keep such records. */
  readonly resourceDiffId: string | undefined;
  /** The ids of these records, if there are several. */
  readonly resourceDiffIds: string[] | undefined;
  /** Everything the panel sent, under its own names. */
  readonly fields: Record<string, unknown>;
}

/** A recovery point of a machine: a backup that it can be restored from. Fields that the panel did not send are undefined. */
export interface RecoveryPoint {
  /** The point's id, as text. */
  readonly id: string;
  /** When the backup was taken, in UTC (ISO 8601); undefined if the panel sends no time with a time zone. */
  readonly takenAt: string | undefined;
  /** The point's state, in the panel's words: `built`, `available`, … */
  readonly state: string | undefined;
  /** The point's size in bytes. */
  readonly sizeBytes: number | undefined;
  /** True if the point can be restored: its state is missing, `built`, `available`, or listed in the `pointStates` setting. */
  readonly usable: boolean;
  /** Everything the panel sent, under its own names. */
  readonly fields: Record<string, unknown>;
}

// No keys are added, because an absent key reads as undefined, as the types say.
export function detailedTransaction(row: panel.ListedTransaction): Transaction {
  return { ...(omit(row, "facts") as Transaction), fields: { ...row.fields } };
}

/** Leaves out log text and `params`, because panels send `params` even if no details are requested, and some also send an empty `log_output`. */
export function plainTransaction(row: panel.ListedTransaction): Transaction {
  const fields = withoutFreeText(row.fields) as Record<string, unknown>;
  return { ...(omit(row, "facts", "params", "logOutput") as Partial<Transaction>), fields } as Transaction;
}

export function logItem(row: panel.ListedLogItem): LogItem {
  return { ...(row as LogItem), fields: { ...row.fields } };
}

export function recoveryPoint({ id, takenAt, state, sizeBytes, usable, fields }: Point): RecoveryPoint {
  return { id, takenAt, state, sizeBytes, usable, fields: { ...fields } };
}

/**
 * Fields with a job's output or parameters, which may contain passwords. Panels spell them differently (`log_output`, `log-output`), so only the letters in
 * names are compared.
 */
const isFreeText = wordSet("logoutput", "params");

/** A copy without free text, at any depth. */
function withoutFreeText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFreeText);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([field]) => !isFreeText(field));
  return Object.fromEntries(kept.map(([field, inner]) => [field, withoutFreeText(inner)]));
}

export function containsFreeText(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([field, inner]) => (isFreeText(field) && hasContent(inner)) || containsFreeText(inner),
  );
}

/** False for null and for an empty text, list or object, because panels may send these fields empty. */
const hasContent = (value: unknown): boolean => !["null", '""', "[]", "{}"].includes(JSON.stringify(value ?? null));
