/**
 * Which transactions have been taken for a restore, and by which intent, in this process. Two restores of one machine must
 * not both take one transaction for theirs. One registry per panel: ids of two panels have nothing to do with each other.
 */
export class Claims {
  readonly #owners = new Map<string, string>();
  readonly #unlisted = new Map<string, Unlisted>();

  /** An earlier run has posted the restore of this intent, and did not see it listed: which transaction it is, is still to be found out. */
  noteUnlisted(intentId: string, posted: Unlisted): void {
    this.#unlisted.set(intentId, posted);
  }

  /** How many such restores of a machine, other than that of this intent, were posted right before a time. */
  unlistedRightBefore({ machine, at }: Unlisted, intentId: string): number {
    const isOne = ([owner, other]: [string, Unlisted]): boolean =>
      owner !== intentId && other.machine === machine && other.at <= at && at - other.at <= rightBeforeMs;
    return [...this.#unlisted].filter(isOne).length;
  }

  claim(transactionIds: readonly string[], intentId: string): void {
    if (transactionIds.length > 0) this.#unlisted.delete(intentId);
    for (const id of transactionIds) if (!this.#owners.has(id)) this.#owners.set(id, intentId);
  }

  isClaimedByAnother(transactionId: string, intentId: string): boolean {
    const owner = this.#owners.get(transactionId);
    return owner !== undefined && owner !== intentId;
  }
}

/** A machine, and when a restore of it was posted, by the panel's clock. */
interface Unlisted {
  readonly machine: string;
  readonly at: number;
}

/** Longer than a panel takes for a POST, and shorter than another run takes to come to the next one. */
const rightBeforeMs = 10_000;
