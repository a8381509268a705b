import { noLowerThan, tellsPlace } from "../restore/rows/mark";
import type { Intent, Mark } from "../restore/terms/intent";
import type { RestoreRecord } from "../restore/terms/record";

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
