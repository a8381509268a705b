import type { Intent, Mark } from "../inputs/intent";
import { isFinished, type RestoreRecord } from "../inputs/record";
import type { RestoreResult } from "../restore/result";
import { noLowerThan, tellsPlace } from "../rows/mark";
import type { Sought } from "../rows/searches";
import type { DiffResult } from "./diff-restore";

/** What one call of the engine's has to know of another: all restores of a process share it, by their intents' ids. */
export interface Memory {
  readonly outcomes: Once<RestoreResult>;
  readonly replacements: Replacements;
  readonly kept: Kept;
  readonly failedTries: FailedTries;
  /** Restores that earlier runs have posted and not seen listed, as far as `diff` has been told of them. */
  readonly unlisted: Map<string, Sought>;
}

export function createMemory(): Memory {
  return {
    outcomes: new Once(),
    replacements: new Replacements(),
    kept: new Kept(),
    failedTries: new FailedTries(),
    unlisted: new Map(),
  };
}

/**
 * Per process a restore has one outcome. An `onError` hook may ask the engine to call `create` again, hundreds of times in a
 * few seconds; every such call gets the outcome of the first and posts nothing.
 */
export class Once<Outcome> {
  readonly #outcomes = new Map<string, Promise<Outcome>>();

  run(intentId: string, carryOut: () => Promise<Outcome>): Promise<Outcome> {
    const known = this.#outcomes.get(intentId);
    if (known) return known;
    const outcome = carryOut();
    this.#outcomes.set(intentId, outcome);
    return outcome;
  }
}

/**
 * Where the list stood when a try was written down as failed. What is looked for after it is a further try of the same intent, posted only
 * since. In between, other restores of the machine may have been: those that come behind it in the program, which had not waited for its
 * end. Nobody has told this process of them yet, and one of them would pass for the further try.
 */
export class FailedTries {
  readonly #failedAt = new Map<string, Mark>();

  /** `diff` is told what is stored of the last try; `create` is not. */
  stored(intentId: string, { status, postedAfter }: RestoreRecord): void {
    if (status === "failed" && postedAfter && tellsPlace(postedAfter)) this.#failedAt.set(intentId, postedAfter);
    else this.#failedAt.delete(intentId);
  }

  /** The intent as one of the next try. */
  next(intent: Intent): Intent {
    const mark = this.#failedAt.get(intent.id);
    if (mark?.panel !== intent.mark.panel) return intent;
    return { ...intent, mark: noLowerThan(intent.mark, mark) };
  }
}

/**
 * `--replace` or taint of a restore alone calls `create` with the old intent, which looks just like a run after a kill: the
 * finished restore is found again and nothing is restored. Only both halves of the replacement together show it, and both
 * happen in one process: the new resource has adopted the very transaction that the deleted one had recorded.
 */
export class Replacements {
  readonly #adopted = new Map<string, readonly string[]>();
  readonly #deleted = new Map<string, readonly string[]>();

  /** Returns the transaction that shows it, when the old resource was deleted first. */
  adopted(intentId: string, record: RestoreRecord): string | undefined {
    this.#adopted.set(intentId, record.transactionIds);
    return common(this.#deleted.get(intentId), record.transactionIds);
  }

  /**
   * Returns the transaction that shows it, when the new resource was created first. One that had not ended when it was
   * to be replaced is no such case: it ended in this run, so it was restored.
   */
  deleted(intentId: string, record: RestoreRecord): string | undefined {
    if (!isFinished(record.status)) return undefined;
    this.#deleted.set(intentId, record.transactionIds);
    return common(this.#adopted.get(intentId), record.transactionIds);
  }
}

function common(a: readonly string[] | undefined, b: readonly string[]): string | undefined {
  return a?.find((id) => b.includes(id));
}

export function nothingRestored(name: string, transactionId: string, intentUrn: string | undefined): string {
  return (
    `restore "${name}": nothing was restored. It was to be replaced, but its intent was not, so transaction ${transactionId}, the restore it ` +
    "already had, was found again and adopted. To restore anew, change triggers" +
    (intentUrn === undefined ? "." : `, or replace both: add --replace '${intentUrn}'.`)
  );
}

/**
 * Restores that `diff` wants kept as they are stored: under way, cancelled, or failed and not to be tried again. The engine may
 * replace one all the same, because a wildcard in `replaceOnChanges`, which a transformation can add as well, matches the engine's
 * own memory of an error. `create` then comes with the intent the restore already had, and must go on with it: to
 * look for it among what the panel lists would post one again that was never listed, or that somebody cancelled.
 */
export class Kept {
  readonly #records = new Map<string, RestoreRecord>();

  decided(intentId: string, record: RestoreRecord, { replaces = [] }: DiffResult): void {
    if (replaces.length > 0 || record.status === "complete") this.#records.delete(intentId);
    else this.#records.set(intentId, record);
  }

  of(intentId: string): RestoreRecord | undefined {
    return this.#records.get(intentId);
  }
}
