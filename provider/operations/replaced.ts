import { isFinished, type RestoreRecord } from "../restore/terms/record";

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
