import { abortReason } from "./clock";

/** A limited number of slots: first come, first served. Until a limit is set, nobody waits. */
export class Semaphore {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private limit = Number.POSITIVE_INFINITY) {}

  /** True if the next caller would have to wait. A freed slot goes to the next caller in line at once, so this stays true as long as anybody waits. */
  get isFull(): boolean {
    return this.#taken >= this.limit;
  }

  /** Lowers the number of slots. A caller that already has a slot keeps it. */
  limitTo(limit: number): void {
    this.limit = Math.min(this.limit, limit);
  }

  /** Takes a slot without waiting, even if that exceeds the limit. */
  occupy(): void {
    this.#taken++;
  }

  /** Waits for a slot, at most until the signal is aborted. */
  take(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener("abort", giveUp);
        this.occupy();
        resolve();
      };
      const giveUp = (): void => {
        const place = this.#waiting.indexOf(begin);
        if (place !== -1) this.#waiting.splice(place, 1);
        reject(abortReason(signal));
      };
      if (signal?.aborted === true) giveUp();
      else if (!this.isFull) begin();
      else {
        this.#waiting.push(begin);
        signal?.addEventListener("abort", giveUp, { once: true });
      }
    });
  }

  readonly release = (): void => {
    this.#taken--;
    if (!this.isFull) this.#waiting.shift()?.();
  };
}

/** Runs at most `limit` functions at a time: first come, first served. */
export function limitConcurrency(limit: number): <T>(run: () => Promise<T>) => Promise<T> {
  const places = new Semaphore(limit);
  return async (run) => {
    await places.take();
    try {
      return await run();
    } finally {
      places.release();
    }
  };
}
