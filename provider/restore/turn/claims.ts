/**
 * Which transactions have been taken for a restore, and by which intent, in this process. Two restores of one machine must
 * not both take one transaction for theirs. One registry per panel: ids of two panels have nothing to do with each other.
 */
export class Claims {
  readonly #owners = new Map<string, string>();

  claim(transactionIds: readonly string[], intentId: string): void {
    for (const id of transactionIds) if (!this.#owners.has(id)) this.#owners.set(id, intentId);
  }

  isClaimedByAnother(transactionId: string, intentId: string): boolean {
    const owner = this.#owners.get(transactionId);
    return owner !== undefined && owner !== intentId;
  }
}
