import type { Trouble } from "./watching";

export interface OutageOptions {
  /** The first good tick after an outage: said once, however many ticks failed and however many wait. */
  readonly onRecovered?: (outage: { readonly failures: number; readonly lastedMs: number }) => void;
}

/** Counts failed ticks in a row. Each wait hears of each; that it is over is said once for all. */
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
    if (this.#failures === 1) this.#since = now;
    return { error, inARow: this.#failures };
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
