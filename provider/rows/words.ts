import { asSent } from "../panel/secrets";
import {
  goodResults,
  isDoubtful,
  isGoodCode,
  keptWords,
  knownStatus,
  type KnownStatus,
  normalizedWord,
  noWords,
  onlyEndWords,
} from "../panel/status-words";
import type { Transaction } from "../panel/types";
import { omit } from "../plain/plain";

/** The meaning of a row's status. `unclear`: it has ended, and nobody knows how. `unknown`: a word that no table and no setting has. */
export type TransactionStatus = KnownStatus | "unclear" | "unknown";

/** How a job has ended. */
export type End = "complete" | "failed" | "cancelled" | "unclear";

/** The words of this panel beyond those that every panel uses, from the settings. */
export interface ConfiguredWords {
  readonly restoreActions: readonly string[];
  readonly completeStatuses: readonly string[];
  readonly failedStatuses: readonly string[];
}

const noSettings: ConfiguredWords = { restoreActions: [], completeStatuses: [], failedStatuses: [] };

type StatusFields = Pick<Transaction, "status" | "endFields">;

/**
 * The meaning of a row's status. A word of the settings counts, whatever other fields say. Where the status says only that a row has ended, or an unknown
 * word is an end by the row's stamps or by a second field, a second field says how. An end that another field contradicts is unclear.
 */
export function statusOf(row: StatusFields, words: ConfiguredWords): TransactionStatus {
  const { status = "", endFields = {} } = asSent(row);
  const { statuses = [], results = [], against, isPast } = endFields;
  const set = settingOf(status, words);
  if (set !== undefined) return set;
  const known = knownStatus(status);
  // A code may be 0 from the beginning: no end by itself.
  const isEndByOthers = isPast === true || results.some((text) => isKnownEnd(meaningOf(text, words)));
  const isOnlyEnd = onlyEndWords(status) || (known === undefined && isEndByOthers);
  if (known !== "complete" && !isOnlyEnd) return known ?? "unknown";
  const how = new Set(results.map((text) => resultOf(text, words)));
  const others = statuses.filter((text) => !keptWords(text)).map((text) => meaningOf(text, words));
  if (others.some((one) => one === "pending" || one === "running")) return "running";
  const [first = known ?? "unclear", ...more] = isOnlyEnd ? how : [];
  const end = more.length === 0 && isEnd(first) ? first : "unclear";
  const isAgainst = (one: TransactionStatus): boolean => isFailedOrCancelled(one) || one === "unclear";
  const isContradicted = against !== undefined || [...others, ...how].some(isAgainst);
  return end === "complete" && isContradicted ? "unclear" : end;
}

function settingOf(text: string, words: ConfiguredWords): "complete" | "failed" | undefined {
  const word = normalizedWord(text);
  if (isAmong(words.completeStatuses, word)) return "complete";
  return isAmong(words.failedStatuses, word) ? "failed" : undefined;
}

const meaningOf = (text: string, words: ConfiguredWords): TransactionStatus =>
  settingOf(text, words) ?? knownStatus(text) ?? "unknown";

/** The meaning of a second field's text, which may be a code. */
function resultOf(text: string, words: ConfiguredWords): TransactionStatus {
  const meaning = meaningOf(text, words);
  if (meaning !== "unknown") return meaning;
  if (goodResults(text) || isGoodCode(text)) return "complete";
  return isDoubtful(text) || noWords(text) ? "unclear" : "unknown";
}

/** Whether a setting has a word, which is normalized already: this is asked of every row at every look. */
const isAmong = (configured: readonly string[], word: string): boolean =>
  configured.some((one) => normalizedWord(one) === word);

/** The words of a status as a person reads them: of both fields where there are two. */
export function statusWords({ status, endFields: { results = [] } = {} }: StatusFields): string | undefined {
  const result = results.find((text) => status?.includes(text) !== true);
  return [status, result].filter((text) => text !== undefined).join(" ") || undefined;
}

/** The same, and the field that contradicts them. */
export function statusText(row: StatusFields): string | undefined {
  return [statusWords(row), row.endFields?.against].filter((text) => text !== undefined).join(", ") || undefined;
}

/** The word of a row for a setting: of a second field in an unknown word, where that leaves open how the row has ended, else of its status. */
export function wordToSet({ status, endFields: { results = [] } = {} }: StatusFields): string | undefined {
  const isOpen = (text: string): boolean =>
    isDoubtful(text) || (onlyEndWords(status ?? "") && resultOf(text, noSettings) === "unknown");
  return results.find(isOpen) ?? status;
}

/** Whether a row is complete, or would be if nothing contradicted its status. */
export function isCompleteByItsWord(shown: StatusFields, words: ConfiguredWords): boolean {
  const row = asSent(shown);
  const state = statusOf(row, words);
  return state === "complete" || (state === "unclear" && statusOf(omit(row, "endFields"), words) === "complete");
}

export function isEnd(status: TransactionStatus): status is End {
  return status === "unclear" || isKnownEnd(status);
}

export function isKnownEnd(status: TransactionStatus): boolean {
  return status === "complete" || isFailedOrCancelled(status);
}

export function isFailedOrCancelled(status: string): status is "failed" | "cancelled" {
  return status === "failed" || status === "cancelled";
}

/** Whether a row may be a restore, by its action. A row without an action may be; a backup, a start or a firewall update may not. */
export function mayBeRestore(row: Pick<Transaction, "action">, words: ConfiguredWords): boolean {
  const word = normalizedWord(asSent(row).action ?? "");
  const says = word.includes("restore") && !word.includes("restorepoint");
  return word === "" || says || isAmong(words.restoreActions, word);
}

/** Whether a row has an action, and may be a restore by it. */
export function saysRestore(row: Pick<Transaction, "action">, words: ConfiguredWords): boolean {
  return row.action !== undefined && mayBeRestore(row, words);
}

/** Work that begins with another word, or is done from something, may be this panel's own word for a restore: `apply_backup`, `boot_from_backup`. */
const otherWork =
  /^(?!.*(restor|recover|rollback|revert|from))(take|create|make|backup|snapshot|start|startup|stop|shutdown|reboot|suspend|resize|delete|destroy)([-_ ]|$)/i;

/** Whether a row's action is certainly no restore: a person who names such a row has mistaken it. */
export function doesOtherWork(row: Pick<Transaction, "action">, words: ConfiguredWords): boolean {
  const { action = "" } = asSent(row);
  return otherWork.test(action.trim()) && !isAmong(words.restoreActions, normalizedWord(action));
}

/** The object of a row's action: files, a machine, or neither if the word does not say, or says both. A word of the settings says neither. */
export function kindOfAction(
  row: Pick<Transaction, "action">,
  words: ConfiguredWords,
): "files" | "machine" | undefined {
  const { action } = asSent(row);
  if (action === undefined || isAmong(words.restoreActions, normalizedWord(action))) return undefined;
  const saysFiles = /(^|[^a-z])files?([^a-z]|$)/i.test(action.replace(/([a-z])([A-Z])/g, "$1 $2"));
  const saysMachine = /machine|server|vm|backup/i.test(action);
  return saysFiles === saysMachine ? undefined : saysFiles ? "files" : "machine";
}
