import type { RestoreRecord } from "../inputs/record";
import type { FailedTry } from "../restore/before-post-state";
import type { ResultSoFar } from "../restore/result";

/** What one call of the engine's has to know of another, of one restore in one process. */
export interface RememberedRestore {
  /** The engine has asked for it in this run: what its state says is up to date, or it failed and nothing behind it is begun. */
  isInThisRun?: true;
  /** `diff` wants it made anew: what its state says of it is no more. */
  isReplaced?: boolean;
  /** The record of one that `diff` wants kept as it is stored. The engine may delete it all the same and ask for it anew. */
  keptRecord?: RestoreRecord | undefined;
  /** Its last try, where that is stored as failed. */
  failedTry?: FailedTry | undefined;
  /** The one outcome of its create: an `onError` hook may have the engine ask again, hundreds of times in a few seconds. */
  outcome?: Promise<ResultSoFar>;
  /** Transactions that its create has adopted, and those that the record has which was deleted. */
  adoptedIds?: readonly string[];
  deletedIds?: readonly string[];
  /** `adopt` has named what its create has adopted. */
  isAdoptedById?: boolean;
  /** The intent of another restore that has taken its transaction, and that transaction. */
  conflict?: { readonly transactionId: string; readonly otherIntentId: string } | undefined;
  /** The URN of the restore, for what is said of it on another one. */
  urn?: string;
  isAdopted?: boolean;
}

/** All restores of a process, by their intents' ids. */
export class Memory {
  readonly #restores = new Map<string, RememberedRestore>();

  of(intentId: string): RememberedRestore {
    const known = this.#restores.get(intentId);
    if (known) return known;
    const fresh: RememberedRestore = {};
    this.#restores.set(intentId, fresh);
    return fresh;
  }
}

/**
 * `--replace` or taint of a restore alone calls `create` with the old intent, which looks just like a run after a kill: the finished restore is
 * found again and nothing is restored. Only both halves of the replacement together show it, and both happen in one process: the new
 * resource has adopted the very transaction that the deleted one had recorded. One that had not ended is no such case.
 */
export function transactionFoundAgain({
  adoptedIds: adopted,
  deletedIds: deleted,
}: RememberedRestore): string | undefined {
  return adopted?.find((id) => deleted?.includes(id));
}
