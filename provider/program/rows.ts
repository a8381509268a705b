import type * as panel from "../panel/types";
import { isObject } from "../plain/plain";
import type { Point } from "../points/points";

/*
 * What a panel may leave out is declared as `status: string | undefined`, not as `status?: string`. Through an Output the
 * first can be used as it is (`row.status` is an `Output<string | undefined>`); the second would have to be asked
 * for with `row.status?.` every time, because the SDK's types then make the Output itself optional.
 */

/** A transaction of the panel: one operation, such as a restore, a backup or a start. What the panel did not send is undefined. */
export interface Transaction {
  /** The transaction's id, as text whatever its size. */
  readonly id: string;
  /** The panel's name for what the transaction works on: usually the machine, sometimes a backup or a user. */
  readonly identifier: string | undefined;
  /** What is done, in the panel's words: `restore_backup`, `stop_virtual_machine`, … */
  readonly action: string | undefined;
  /** How far it is, in the panel's words: `pending`, `running`, `complete`, `failed`, `cancelled`, … */
  readonly status: string | undefined;
  /** The id of what it is done to: a machine, a backup, a disk, … */
  readonly parentId: string | undefined;
  /** The kind of what it is done to, such as `VirtualMachine`. */
  readonly parentType: string | undefined;
  /** The id of what it belongs to, usually the machine. */
  readonly associatedObjectId: string | undefined;
  /** The kind of what it belongs to. */
  readonly associatedObjectType: string | undefined;
  /** The transaction that has to end before this one starts. */
  readonly dependentTransactionId: string | undefined;
  /** The same for all transactions of one job. */
  readonly chainId: string | undefined;
  /** Counts the changes of the row. */
  readonly lockVersion: number | undefined;
  /** What the job was given; only with `detailed`. May hold secrets. */
  readonly params: Record<string, unknown> | undefined;
  /** What the job printed; only with `detailed`. May hold secrets. */
  readonly logOutput: string | undefined;
  /** The user it was started for. */
  readonly userId: string | undefined;
  /** Who started it, in the panel's words. */
  readonly actor: string | undefined;
  /** The process on the panel that carries it out. */
  readonly pid: number | undefined;
  /** Its place in the queue. */
  readonly priority: number | undefined;
  /** Whether it can be cancelled. */
  readonly allowedCancel: boolean | undefined;
  /** Whether a schedule started it. */
  readonly scheduled: boolean | undefined;
  /** When it was asked for. Times are as the panel wrote them (ISO 8601). */
  readonly createdAt: string | undefined;
  /** When the row last changed. */
  readonly updatedAt: string | undefined;
  /** Not started before this. */
  readonly startAfter: string | undefined;
  /** When it started. */
  readonly startedAt: string | undefined;
  /** When it ended, on panels that say so. */
  readonly finishedAt: string | undefined;
  /** Everything the panel sent, under its own names; log text and `params` only with `detailed`. */
  readonly fields: Record<string, unknown>;
}

/** An entry of a machine's log. What the panel did not send is undefined. */
export interface LogItem {
  /** The entry's id, as text whatever its size. */
  readonly id: string;
  /** What was done, in the panel's words. */
  readonly action: string | undefined;
  /** How it went, in the panel's words. */
  readonly status: string | undefined;
  /** The transaction's id when `targetType` is `Transaction`. */
  readonly targetId: string | undefined;
  /** The kind of what the entry is about, such as `Transaction`. */
  readonly targetType: string | undefined;
  /** When it was written. Times are as the panel wrote them (ISO 8601). */
  readonly createdAt: string | undefined;
  /** When it last changed. */
  readonly updatedAt: string | undefined;
  /** The id of the record of what changed, on panels that keep one. */
  readonly resourceDiffId: string | undefined;
  /** The same where there are several. */
  readonly resourceDiffIds: string[] | undefined;
  /** Everything the panel sent, under its own names. */
  readonly fields: Record<string, unknown>;
}

/** A recovery point of a machine: a backup that it can be restored from. What the panel did not send is undefined. */
export interface RecoveryPoint {
  /** The point's id, as text. */
  readonly id: string;
  /** When the backup was taken, in UTC (ISO 8601); undefined where the panel gives no time that names its zone. */
  readonly takenAt: string | undefined;
  /** How it stands, in the panel's words: `built`, `available`, … */
  readonly state: string | undefined;
  /** How large it is. */
  readonly sizeBytes: number | undefined;
  /** Whether its state allows a restore: `built`, `available`, none, or a word of the setting `pointStates`. */
  readonly usable: boolean;
  /** Everything the panel sent, under its own names. */
  readonly fields: Record<string, unknown>;
}

export function detailedTransaction(row: panel.Transaction): Transaction {
  return asTransaction({ ...row, fields: { ...row.fields } });
}

/** Panels send `params`, and some an empty `log_output`, unasked. */
export function plainTransaction(row: panel.Transaction): Transaction {
  const kept = Object.fromEntries(Object.entries(row).filter(([key]) => key !== "params" && key !== "logOutput"));
  return asTransaction({ ...kept, id: row.id, fields: withoutFreeText(row.fields) as Record<string, unknown> });
}

export function logItem(row: panel.LogItem): LogItem {
  return { ...(row as LogItem), fields: { ...row.fields } };
}

export function recoveryPoint({ id, takenAt, state, sizeBytes, usable, fields }: Point): RecoveryPoint {
  return { id, takenAt, state, sizeBytes, usable, fields: { ...fields } };
}

/** Keys may be absent, which reads as undefined: what the type says. */
function asTransaction(row: Partial<Transaction> & Pick<Transaction, "id" | "fields">): Transaction {
  return row as Transaction;
}

/**
 * Fields that hold whatever a job printed or was given, passwords included. Panels differ in spelling
 * (`log_output`, `log-output`), so names are compared by their letters.
 */
const freeText = new Set(["logoutput", "params"]);

function isFreeText(field: string): boolean {
  return freeText.has(field.replace(/[-_]/g, "").toLowerCase());
}

/** A copy without the free text, however deep it lies. */
export function withoutFreeText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFreeText);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([field]) => !isFreeText(field));
  return Object.fromEntries(kept.map(([field, inner]) => [field, withoutFreeText(inner)]));
}

export function containsFreeText(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsFreeText);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([field, inner]) => (isFreeText(field) && hasContent(inner)) || containsFreeText(inner),
  );
}

/** Panels send the field empty when there is nothing in it. */
function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
