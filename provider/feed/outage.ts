import type { Trouble } from "./types";

export interface OutageOptions {
  /** The panel stopped answering: said once per outage, however many ticks fail in it. */
  readonly onTrouble?: (trouble: Trouble) => void;
  /** The first good tick after an outage. */
  readonly onRecovered?: (outage: { readonly failures: number; readonly lastedMs: number }) => void;
}

/** Counts failed ticks in a row and says once that it began and once that it is over. */
export class Outage {
  readonly #options: OutageOptions;
  #failures = 0;
  #since = 0;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  get failures(): number {
    return this.#failures;
  }

  failed(error: Error, now: number): Trouble {
    this.#failures++;
    const trouble = { error, inARow: this.#failures };
    if (this.#failures === 1) {
      this.#since = now;
      this.#options.onTrouble?.(trouble);
    }
    return trouble;
  }

  over(now: number): void {
    if (this.#failures === 0) return;
    const outage = { failures: this.#failures, lastedMs: now - this.#since };
    this.#failures = 0;
    this.#options.onRecovered?.(outage);
  }

  /** Nobody waits any more: whether the panel is back is not known, and nobody is told. */
  forget(): void {
    this.#failures = 0;
  }
}
