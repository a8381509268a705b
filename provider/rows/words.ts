import { textOf } from "../panel/row-reader";
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
 * classifies the word. Another field may say how the row ended (`state: "closed"`, `result: "error"`): if it disagrees, the row does not
 * count as complete.
 */
export function statusOf(row: StatusFields, words: ConfiguredWords): TransactionStatus {
  const own = meaningOf(row.status, words);
  if (own === "pending" || own === "running" || isFailedOrCancelled(own)) return own;
  const outcome = outcomeOf(row, words);
  if (outcome !== undefined && outcome !== "unknown" && outcome !== "error text") return outcome;
  // "finished" and "done" say that a row has ended, not how; and success beside an error is no success, unless a setting says so.
  const isDoubtful = outcome === "error text" || /^(finished|done)$/i.test(row.status?.trim() ?? "");
  if (outcome === undefined || !isDoubtful) return own;
  return isAmong(words.completeStatuses, normalizedWord(row.status ?? "")) ? own : "unknown";
}

function meaningOf(text: string | undefined, words: ConfiguredWords): TransactionStatus {
  const word = normalizedWord(text ?? "");
  if (isAmong(words.completeStatuses, word)) return "complete";
  if (isAmong(words.failedStatuses, word)) return "failed";
  return knownStatus(word) ?? "unknown";
}

/** Whether a setting has a word, which is normalized already: this is asked of every row at every look. */
const isAmong = (configured: readonly string[], word: string): boolean =>
  configured.some((one) => normalizedWord(one) === word);

const outcomeField = /^(final[-_ ]?)?(result|outcome|conclusion|exit[-_ ]?status|final[-_ ]?status)$/i;
const codeField = /^((exit|return|error|result)[-_ ]?code|exit[-_ ]?status)$/i;
/** As XML and some databases write them. */
const no = /^(false|no|0)$/i;
const yes = /^(true|yes|1)$/i;
const nothing = /^(|none|null|nil|no|no errors?|false|0|ok|n\/a|-)$/i;
/** The code of a process, or of HTTP. */
const isGoodCode = (code: number): boolean => code === 0 || (code >= 200 && code < 300);

/** How a row ended, by a field other than its status. `unknown`: there is such a field, and its word is unknown. */
function outcomeOf({ fields }: StatusFields, words: ConfiguredWords): TransactionStatus | "error text" | undefined {
  let found: TransactionStatus | "error text" | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const isCode = codeField.test(name) && /^-?\d+$/.test(wordOf(value));
    const isBad =
      (/^(is[-_ ]?)?success(ful)?$/i.test(name) && no.test(wordOf(value))) ||
      (/^(is[-_ ]?)?failed$/i.test(name) && yes.test(wordOf(value))) ||
      (isCode && !isGoodCode(Number(wordOf(value))));
    if (isBad) return "failed";
    const isWord = outcomeField.test(name) && !isCode && typeof value === "string" && value.trim() !== "";
    const meaning = isWord ? meaningOf(value, words) : undefined;
    if (meaning !== undefined && meaning !== "pending" && meaning !== "running") found ??= meaning;
    if (found === undefined && /^errors?$/i.test(name) && isFilled(value)) found = "error text";
  }
  return found;
}

const wordOf = (value: unknown): string => textOf(value)?.trim() ?? "";

function isFilled(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isFilled);
  return !nothing.test(wordOf(value));
}

/** The words of a status as a person reads them: both fields where there are two. */
export function statusText({ status, fields }: StatusFields): string | undefined {
  const outcome = Object.entries(fields).find(
    ([name, value]) => outcomeField.test(name) && typeof value === "string",
  )?.[1];
  return typeof outcome !== "string" || outcome === status ? status : `${status ?? ""} ${outcome}`.trim();
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
  const says = word.includes("restore") && !word.includes("restorepoint");
  return word === "" || says || isAmong(words.restoreActions, word);
}

/** Whether a row has an action, and may be a restore by it. */
export function saysRestore(row: Pick<Transaction, "action">, words: ConfiguredWords): boolean {
  return row.action !== undefined && mayBeRestore(row, words);
}

/** The object of an action: files, a machine, or neither if the word does not say. */
export function kindOfAction(action: string | undefined): "files" | "machine" | undefined {
  if (action === undefined) return undefined;
  if (/(^|[^a-z])files?([^a-z]|$)/i.test(action.replace(/([a-z])([A-Z])/g, "$1 $2"))) return "files";
  return /machine|server|vm|backup/i.test(action) ? "machine" : undefined;
}
