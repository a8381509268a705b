import type { Transaction, TransactionId } from "../panel/terms/types";
import { fingerprint } from "./fingerprint";

interface Reading {
  readonly fingerprint: string;
  readonly lockVersion: number | undefined;
}

/**
 * What one watch has been told, so that it hears of each change once. A row that is missing from a walk stays
 * remembered: when it comes back as it was, that is no news.
 */
export class Heard {
  readonly #readings = new Map<TransactionId, Reading>();

  /** True when the row is new or differs from what was told last; it counts as told from now on. */
  isNews(row: Transaction): boolean {
    const before = this.#readings.get(row.id);
    if (before !== undefined && isOlder(row.lockVersion, before.lockVersion)) return false;
    const now = fingerprint(row);
    if (before?.fingerprint === now) return false;
    this.#readings.set(row.id, { fingerprint: now, lockVersion: row.lockVersion });
    return true;
  }

  forget(id: TransactionId): void {
    this.#readings.delete(id);
  }
}

/**
 * A panel that answers from several copies of its data may show an older state after a newer one. The panel
 * counts a row's changes in its lock version; time stamps would mislead when the panel's clock is set back.
 */
function isOlder(lockVersion: number | undefined, known: number | undefined): boolean {
  return lockVersion !== undefined && known !== undefined && lockVersion < known;
}
