import { knownStatus, type KnownStatus, normalizedWord } from "../panel/status-words";
import type { Transaction } from "../panel/types";

/** The meaning of a row's status. */
export type TransactionStatus = KnownStatus | "unknown";

/** How a job has ended. */
export type End = "complete" | "failed" | "cancelled";

/** The words of this panel beyond those that every panel uses, from the settings. */
export interface ConfiguredWords {
  readonly restoreActions: readonly string[];
  readonly completeStatuses: readonly string[];
  readonly failedStatuses: readonly string[];
}

type StatusFields = Pick<Transaction, "status" | "fields">;

/**
 * The meaning of a row's status. An unknown word is neither success nor failure: the restore is waited for, and a warning names the setting that
 * classifies the word. Where a second field says how the row ended (`state: "closed"`, `result: "error"`), that field decides.
 */
export function statusOf(row: StatusFields, words: ConfiguredWords): TransactionStatus {
  const own = meaningOf(row.status, words);
  if (own === "pending" || own === "running") return own;
  const outcome = meaningOf(outcomeOf(row), words);
  return isEnd(outcome) ? outcome : own;
}

function meaningOf(text: string | undefined, words: ConfiguredWords): TransactionStatus {
  const word = normalizedWord(text ?? "");
  if (words.completeStatuses.some((one) => normalizedWord(one) === word)) return "complete";
  if (words.failedStatuses.some((one) => normalizedWord(one) === word)) return "failed";
  return knownStatus(word) ?? "unknown";
}

const outcomeField = /^(result|outcome|conclusion|exit[-_ ]?status)$/i;

/** The field beside the status that says how a row ended, where the panel has such a field. */
function outcomeOf({ fields }: StatusFields): string | undefined {
  for (const [name, value] of Object.entries(fields))
    if (typeof value === "string" && value !== "" && outcomeField.test(name)) return value;
  return undefined;
}

/** The words of a status as a person reads them: both fields where there are two. */
export function statusText(row: StatusFields): string | undefined {
  const outcome = outcomeOf(row);
  return outcome === undefined || outcome === row.status ? row.status : `${row.status ?? ""} ${outcome}`.trim();
}

export function isEnd(status: TransactionStatus): status is End {
  return status === "complete" || status === "failed" || status === "cancelled";
}

export function isFailedOrCancelled(status: TransactionStatus): status is "failed" | "cancelled" {
  return status === "failed" || status === "cancelled";
}

/** Whether a row may be a restore, by its action. A row without an action may be; a backup, a start or a firewall update may not. */
export function mayBeRestore({ action }: Pick<Transaction, "action">, words: ConfiguredWords): boolean {
  const word = normalizedWord(action ?? "");
  return word === "" || word.includes("restore") || words.restoreActions.some((one) => normalizedWord(one) === word);
}

/** What an action is of: files, a machine, or neither as far as the word says. */
export function kindOfAction(action: string | undefined): "files" | "machine" | undefined {
  if (action === undefined) return undefined;
  if (/file/i.test(action)) return "files";
  return /machine|server|vm|backup/i.test(action) ? "machine" : undefined;
}
