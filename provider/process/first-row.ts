/**
 * What concerns no single restore is said once, on the row of the first one: an intent, which comes before it, has no row to
 * speak on. Until then it is kept.
 */
export class FirstRow {
  readonly #say: (urn: string, text: string) => void;
  readonly #unsaid: string[] = [];
  #urn: string | undefined;

  constructor(say: (urn: string, text: string) => void) {
    this.#say = say;
  }

  /** A restore has a row. Only the first one counts. */
  is(urn: string): void {
    this.#urn ??= urn;
    for (const text of this.#unsaid.splice(0)) this.#say(this.#urn, text);
  }

  say(text: string): void {
    if (this.#urn === undefined) this.#unsaid.push(text);
    else this.#say(this.#urn, text);
  }
}
