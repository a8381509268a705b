import type { RestoreRecord } from "../restore/terms/record";
import type { DiffResult } from "./diff-restore";

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
