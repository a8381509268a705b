import { knownStatus, type KnownStatus } from "../panel/status-words";
import type { Transaction } from "../panel/types";

/** The meaning of a transaction's status word. */
export type TransactionStatus = KnownStatus | "unrecognized";

/** The words of this panel beyond those that every panel of this kind uses, from the settings. All lower case. */
export interface ConfiguredWords {
  readonly restoreActions: readonly string[];
  readonly completeStatuses: readonly string[];
  readonly failedStatuses: readonly string[];
}

/**
 * The meaning of a status word. An unrecognized word is neither success nor failure: the restore is waited for, and a warning names the
 * setting that classifies the word.
 */
export function normalizeStatus(status: string | undefined, words: ConfiguredWords): TransactionStatus {
  const word = status?.trim().toLowerCase() ?? "";
  if (words.completeStatuses.includes(word)) return "complete";
  if (words.failedStatuses.includes(word)) return "failed";
  return knownStatus(word) ?? "unrecognized";
}

export function hasEnded(status: TransactionStatus): status is "complete" | "failed" | "cancelled" {
  return status === "complete" || status === "failed" || status === "cancelled";
}

export function isFailedOrCancelled(status: TransactionStatus): status is "failed" | "cancelled" {
  return status === "failed" || status === "cancelled";
}

/** Tells by its action if a row may be a restore. A row without an action may be one; a backup, a start or a firewall update may not. */
export function mayBeRestore(row: Pick<Transaction, "action">, words: ConfiguredWords): boolean {
  const action = row.action?.trim().toLowerCase();
  if (action === undefined || action === "") return true;
  return words.restoreActions.length > 0 ? words.restoreActions.includes(action) : action.includes("restore");
}
