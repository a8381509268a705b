import type * as panel from "../panel/types";
import { withoutFreeText } from "./free-text";

/*
 * What a panel may leave out is `| undefined` and not optional: an Output lifts `status: string | undefined` to
 * `Output<string | undefined>`, and an optional `status` to a property that may itself be missing.
 */

/** A transaction of the panel: one operation, such as a restore, a backup or a start. What the panel did not send is undefined. */
export interface Transaction {
  /** The transaction's id, as text whatever its size. */
  readonly id: string;
  /** The panel's further name for the transaction. */
  readonly identifier: string | undefined;
  /** What is done, in the panel's words: `restore_backup`, `stop_virtual_machine`, … */
  readonly action: string | undefined;
  /** How far it is, in the panel's words: `pending`, `running`, `complete`, `failed`, `cancelled`, … */
  readonly status: string | undefined;
  /** What it is done to: a machine, a backup, a disk, … */
  readonly parentId: string | undefined;
  readonly parentType: string | undefined;
  /** What it belongs to, usually the machine. */
  readonly associatedObjectId: string | undefined;
  readonly associatedObjectType: string | undefined;
  /** The transaction that has to end before this one starts. */
  readonly dependentTransactionId: string | undefined;
  /** The same for all transactions of one job. */
  readonly chainId: string | undefined;
  readonly lockVersion: number | undefined;
  /** What the job was given; only with `detailed`. May hold secrets. */
  readonly params: Record<string, unknown> | undefined;
  /** What the job printed; only with `detailed`. May hold secrets. */
  readonly logOutput: string | undefined;
  readonly userId: string | undefined;
  readonly actor: string | undefined;
  readonly pid: number | undefined;
  readonly priority: number | undefined;
  readonly allowedCancel: boolean | undefined;
  readonly scheduled: boolean | undefined;
  /** Times are as the panel wrote them (ISO 8601). */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly startAfter: string | undefined;
  readonly startedAt: string | undefined;
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
  readonly status: string | undefined;
  /** The transaction's id when `targetType` is `Transaction`. */
  readonly targetId: string | undefined;
  readonly targetType: string | undefined;
  /** Times are as the panel wrote them (ISO 8601). */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly resourceDiffId: string | undefined;
  readonly resourceDiffIds: string[] | undefined;
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

/** A key that is absent reads as undefined. */
function asTransaction(row: Partial<Transaction> & Pick<Transaction, "id" | "fields">): Transaction {
  return row as Transaction;
}
