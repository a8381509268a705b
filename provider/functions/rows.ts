import type * as panel from "../panel/types";
import { withoutFreeText } from "./free-text";

/** A transaction of the panel: one operation, such as a restore, a backup or a start. What the panel did not send is undefined. */
export interface Transaction {
  /** The transaction's id, as text whatever its size. */
  readonly id: string;
  /** The panel's further name for the transaction. */
  readonly identifier?: string;
  /** What is done, in the panel's words: `restore_backup`, `stop_virtual_machine`, … */
  readonly action?: string;
  /** How far it is, in the panel's words: `pending`, `running`, `complete`, `failed`, `cancelled`, … */
  readonly status?: string;
  /** What it is done to: a machine, a backup, a disk, … */
  readonly parentId?: string;
  readonly parentType?: string;
  /** What it belongs to, usually the machine. */
  readonly associatedObjectId?: string;
  readonly associatedObjectType?: string;
  /** The transaction that has to end before this one starts. */
  readonly dependentTransactionId?: string;
  /** The same for all transactions of one job. */
  readonly chainId?: string;
  readonly lockVersion?: number;
  /** What the job was given; only with `detailed`. May hold secrets. */
  readonly params?: Record<string, unknown>;
  /** What the job printed; only with `detailed`. May hold secrets. */
  readonly logOutput?: string;
  readonly userId?: string;
  readonly actor?: string;
  readonly pid?: number;
  readonly priority?: number;
  readonly allowedCancel?: boolean;
  readonly scheduled?: boolean;
  /** Times are as the panel wrote them (ISO 8601). */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly startAfter?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** Everything the panel sent, under its own names; log text and `params` only with `detailed`. */
  readonly fields: Record<string, unknown>;
}

/** An entry of a machine's log. What the panel did not send is undefined. */
export interface LogItem {
  /** The entry's id, as text whatever its size. */
  readonly id: string;
  /** What was done, in the panel's words. */
  readonly action?: string;
  readonly status?: string;
  /** The transaction's id when `targetType` is `Transaction`. */
  readonly targetId?: string;
  readonly targetType?: string;
  /** Times are as the panel wrote them (ISO 8601). */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly resourceDiffId?: string;
  readonly resourceDiffIds?: string[];
  /** Everything the panel sent, under its own names. */
  readonly fields: Record<string, unknown>;
}

export function detailedTransaction(row: panel.Transaction): Transaction {
  const { params, fields, ...rest } = row;
  return { ...rest, ...(params === undefined ? {} : { params: { ...params } }), fields: { ...fields } };
}

/** Panels send `params`, and some an empty `log_output`, unasked. */
export function plainTransaction(row: panel.Transaction): Transaction {
  const { params, logOutput, fields, ...rest } = row;
  void params;
  void logOutput;
  return { ...rest, fields: withoutFreeText(fields) as Record<string, unknown> };
}

export function logItem(row: panel.LogItem): LogItem {
  const { resourceDiffIds, fields, ...rest } = row;
  return {
    ...rest,
    ...(resourceDiffIds === undefined ? {} : { resourceDiffIds: [...resourceDiffIds] }),
    fields: { ...fields },
  };
}
