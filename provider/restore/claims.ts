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

  /** When such restores of a machine were posted, other than that of this intent. */
  othersUnlisted(machine: string, intentId: string): readonly number[] {
    return [...this.#unlisted].flatMap(([owner, other]) =>
      owner !== intentId && other.machine === machine ? [other.at] : [],
    );
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
