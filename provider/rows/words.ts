import { asSent } from "../panel/secrets";
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
 * classifies the word. Other fields may say that a row is still under way (`state: "running"`), or how it ended (`result: "error"`): if one disagrees,
 * the row does not count as complete, unless a setting says that its status is enough.
 */
export function statusOf(shown: StatusFields, words: ConfiguredWords): TransactionStatus {
  const row = asSent(shown);
  const own = meaningOf(row.status, words);
  if (own !== "complete" && own !== "unknown") return own;
  const other = otherSign(row, words);
  if (other === undefined || other === "complete" || isFailedOrCancelled(other)) return other ?? own;
  // "finished" and "done" say that a row has ended, not how.
  if (other === "unclear" && !/^(finished|done)$/i.test(row.status?.trim() ?? "")) return own;
  if (isAmong(words.completeStatuses, normalizedWord(row.status ?? ""))) return own;
  return other === "running" ? other : "unknown";
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

/** What a field other than the status says. The first that is found counts. `unclear`: a result in an unknown word. */
const signs = ["failed", "cancelled", "running", "doubtful", "unclear", "complete"] as const;
type Sign = (typeof signs)[number];

const lifeField = /^(current[-_ ]?)?(status|state|phase)$/i;
const resultField = /^(final[-_ ]?)?result$/i;
/** They have a word for each end: an unknown one may be a failure. */
const outcomeField = /^(final[-_ ]?)?(outcome|conclusion|exit[-_ ]?status|final[-_ ]?status)$/i;
const codeField = /^((exit|return|error|result)[-_ ]?code|exit[-_ ]?status)$/i;
const errorField = /^(error|failure)s?([-_ ]?(message|reason|text|details?))?$/i;
const successField = /^((is[-_ ]?)?success(ful)?|ok)$/i;
const failedField = /^(is[-_ ]?)?failed$/i;
/** As XML and some databases write them. */
const no = /^(false|no|0)$/i;
const yes = /^(true|yes|1)$/i;
const nothing = /^(|none|null|nil|\[\]|no|false|0+|ok|n\/a|-)$/i;
/** Counts of nothing, such as "Failed: 0" or "0 errors"; "Error: no space" and "failed: 0 of 12 restored" say that something failed. */
const noneOfThem =
  /\b(0|no|zero|without( any)?) (errors?|error\(s\)|failures?|failed)( (found|occurred|detected))?(?=$|[,;.)])|\b(errors?|fail(ed|ures?))\s*[:=]\s*(0|none)(?=$|[,;)]|\.(?!\d))/gi;
const badWord = /fail|error|timed?[-_ ]?out|reject|refus|partial|incomplete|abort|denied|cancel|unsucce|not succe/i;
/** The whole text, such as "The operation completed successfully." or "Success (0 errors)". */
const goodText =
  /^((the )?((virtual )?(machine|server)|operation|job|task|transaction|restore|disks?|[1-9]\d*( files?| disks?)?) )?((was|were|has|have) )?(been )?(success|succeeded|successful(ly)?|completed?|finished|restored|done|ok)( successfully| completed)?([ ,;:-]+\(?(with )?(no|0|zero|without( any)?) (errors?|error\(s\)|failures?|failed)( (found|occurred|detected))?\)?)?[.!]?$|^(no|0|zero|without( any)?) (errors?|error\(s\)|failures?)( (found|occurred|detected))?[.!]?$|^(errors?|failures?)\s*[:=]\s*(0|none)[.!]?$/i;
/** The code of a process, or of HTTP. */
const isGoodCode = (code: number): boolean => code === 0 || (code >= 200 && code < 300);

function otherSign({ status, fields }: StatusFields, words: ConfiguredWords): Sign | undefined {
  const found = new Set<Sign | undefined>();
  for (const [name, value] of Object.entries(fields)) if (value !== status) found.add(signOf(name, value, words));
  return signs.find((sign) => found.has(sign));
}

function signOf(name: string, value: unknown, words: ConfiguredWords): Sign | undefined {
  const word = wordOf(value);
  if (codeField.test(name) && /^-?\d+$/.test(word)) return isGoodCode(Number(word)) ? undefined : "failed";
  if (successField.test(name) && no.test(word)) return "failed";
  if (failedField.test(name) && yes.test(word)) return "failed";
  if (errorField.test(name)) return saysMore(value) ? "doubtful" : undefined;
  if (typeof value !== "string" || word === "") return undefined;
  const meaning = meaningOf(word, words);
  const isUnderWay = meaning === "pending" || meaning === "running";
  if (lifeField.test(name)) {
    if (isFailedOrCancelled(meaning)) return meaning;
    // These two are also words for a row that is kept.
    return isUnderWay && !/^(active|new)$/i.test(word) ? "running" : undefined;
  }
  const isOutcome = outcomeField.test(name);
  if ((!isOutcome && !resultField.test(name)) || isUnderWay) return undefined;
  if (meaning !== "unknown") return meaning;
  if (nothing.test(word)) return undefined;
  // Only a word that stands alone says that a row failed, because what failed is restored again.
  const isBad = isOutcome || badWord.test(word.replaceAll(noneOfThem, ""));
  return isBad && !goodText.test(word) ? "doubtful" : "unclear";
}

const wordOf = (value: unknown): string => textOf(value)?.trim() ?? "";

/** More than that there is no error. */
function saysMore(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(saysMore);
  const word = wordOf(value);
  return !nothing.test(word) && !goodText.test(word);
}

/** The words of a status as a person reads them: both fields where there are two. */
export function statusText({ status, fields }: StatusFields): string | undefined {
  const isOutcome = (name: string): boolean => outcomeField.test(name) || resultField.test(name);
  const outcome = Object.entries(fields).find(([name, value]) => isOutcome(name) && typeof value === "string")?.[1];
  return typeof outcome !== "string" || outcome === status ? status : `${status ?? ""} ${outcome}`.trim();
}

/** A row that has ended, by its status or its stamp, while another field leaves open how. "ok" may be said of a row that is under way. */
export function hasEndedSomehow(
  shown: StatusFields & Pick<Transaction, "finishedAt">,
  words: ConfiguredWords,
): boolean {
  const row = asSent(shown);
  const saysEnd = row.finishedAt !== undefined || !/^(ok|success(ful)?)$/i.test(row.status?.trim() ?? "");
  return saysEnd && statusOf(row, words) === "unknown" && isEnd(meaningOf(row.status, words));
}

export function isEnd(status: TransactionStatus): status is End {
  return status === "complete" || status === "failed" || status === "cancelled";
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

/** A word with none of these may be this panel's own for a restore. */
const otherWork =
  /^(?!.*(restor|recover|rollback|revert)).*(backup|snapshot|start|stop|boot|shutdown|suspend|resize|migrat|delete|destroy|provision|configur|statistic)/;

/** Whether a row's action is certainly no restore: a person who names such a row has mistaken it. */
export function doesOtherWork(row: Pick<Transaction, "action">, words: ConfiguredWords): boolean {
  const word = normalizedWord(asSent(row).action ?? "");
  return otherWork.test(word) && !isAmong(words.restoreActions, word);
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
