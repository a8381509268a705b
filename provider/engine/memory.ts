import type { RestoreRecord } from "../inputs/record";
import type { FailedTry } from "../restore/before-post-state";
import type { ResultSoFar } from "../restore/result";

/** A stored transaction of one restore, taken by another restore, and that one's intent. */
export interface Conflict {
  readonly transactionId: string;
  readonly otherIntentId: string;
}

/** Facts about one restore that one call of the engine leaves for later calls in the same process. */
export interface RememberedRestore {
  /**
   * The engine has asked for it in this run. Its state is up to date, or it failed and nothing that depends on it is
   * begun.
   */
  isInThisRun?: true;
  /** `diff` wants it replaced, so its stored record no longer counts. */
  isReplaced?: boolean;
  /**
   * The stored record of a restore that `diff` wants kept. The engine may still delete the resource and create it
   * again.
   */
  keptRecord?: RestoreRecord | undefined;
  /** Its last try, where that is stored as failed. */
  failedTry?: FailedTry | undefined;
  /** The one outcome of its create: an `onError` hook may have the engine ask again, hundreds of times in a few seconds. */
  outcome?: Promise<ResultSoFar>;
  /** Transactions adopted by its create, and transactions of its deleted record. */
  adoptedIds?: readonly string[];
  deletedIds?: readonly string[];
  /** The adopted transaction is the one that `adopt` names. */
  isAdoptedById?: boolean;
  conflict?: Conflict | undefined;
  /** The restore's URN, for messages on other rows. */
  urn?: string;
  isAdopted?: boolean;
}

/** All restores of a process, by their intents' ids. */
export class Memory {
  readonly #restores = new Map<string, RememberedRestore>();

  of(intentId: string): RememberedRestore {
    const remembered = this.#restores.get(intentId) ?? {};
    this.#restores.set(intentId, remembered);
    return remembered;
  }
}

/**
 * The transaction of a replaced restore, adopted again by its new resource: nothing was restored. `--replace` or taint
 * of a restore alone keeps the old intent, so its `create` looks like one after a kill and finds the finished restore
 * again. Only create and delete together show it, and both run in one process.
 */
export function transactionFoundAgain({ adoptedIds, deletedIds }: RememberedRestore): string | undefined {
  return adoptedIds?.find((id) => deletedIds?.includes(id));
}
