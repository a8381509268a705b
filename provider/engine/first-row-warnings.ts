/**
 * Shows warnings that concern no single restore, once, on the row of the first restore. An intent comes before it and
 * has no row, so warnings wait until then.
 */
export class FirstRowWarnings {
  readonly #warn: (urn: string, text: string) => void;
  readonly #pending: string[] = [];
  #urn: string | undefined;

  constructor(say: (urn: string, text: string) => void) {
    this.#warn = say;
  }

  /** Sets the row. Only the first call counts. */
  setRow(urn: string): void {
    this.#urn ??= urn;
    for (const text of this.#pending.splice(0)) this.#warn(this.#urn, text);
  }

  warn(text: string): void {
    if (this.#urn === undefined) this.#pending.push(text);
    else this.#warn(this.#urn, text);
  }
}
