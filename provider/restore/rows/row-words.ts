import { knownStanding, type KnownStanding } from "../../panel/terms/statuses";
import type { Transaction } from "../../panel/terms/types";

/** What a transaction's status means to somebody who waits for it. */
export type Standing = KnownStanding | "unheard-of";

/** The words of this panel, beyond those every panel of this kind uses. All lower case. */
export interface Words {
  readonly restoreActions: readonly string[];
  readonly completeStatuses: readonly string[];
  readonly failedStatuses: readonly string[];
}

/**
 * A word never seen before is neither success nor failure: it is `unheard-of`, the restore goes on being waited
 * for, and a warning names the setting that classifies the word.
 */
export function standingOf(status: string | undefined, words: Words): Standing {
  const word = status?.trim().toLowerCase() ?? "";
  if (words.completeStatuses.includes(word)) return "complete";
  if (words.failedStatuses.includes(word)) return "failed";
  return knownStanding(word) ?? "unheard-of";
}

export function hasEnded(standing: Standing): standing is "complete" | "failed" | "cancelled" {
  return standing === "complete" || standing === "failed" || standing === "cancelled";
}

/**
 * Whether a row may be a restore by the name of its action. A row that does not say its action may be one; a
 * backup, a start or a firewall update may not.
 */
export function mayBeRestore(row: Pick<Transaction, "action">, words: Words): boolean {
  const action = row.action?.trim().toLowerCase();
  if (action === undefined || action === "") return true;
  return words.restoreActions.length > 0 ? words.restoreActions.includes(action) : action.includes("restore");
}
