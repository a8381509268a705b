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
