import { abortReason } from "../../time/clock";
import type { Posted } from "./posted";

/** A place among the restores that may be posted and unfinished at once. Giving it back counts once. */
export interface Slot {
  /** With a restore left behind that has not ended, the place stays taken until somebody who needs it has settled that one. */
  release(leftBehind?: Posted): void;
}

interface Waiter {
  readonly take: (slot: Slot) => void;
}

/** First come, first served; without a limit nobody ever waits. */
export class Slots {
  readonly #limit: number;
  #taken = 0;
  readonly #waiters: Waiter[] = [];
  readonly #leftBehind = new Set<Posted>();

  constructor(limit: number | undefined) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the next one would have to wait. While anybody does, it is: a place that comes free is handed on at once. */
  get full(): boolean {
    return this.#taken >= this.#limit;
  }

  acquire(signal?: AbortSignal): Promise<Slot> {
    if (!this.full) return Promise.resolve(this.occupy());
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(abortReason(signal));
      };
      const waiter: Waiter = {
        take: (slot) => {
          signal?.removeEventListener("abort", onAbort);
          resolve(slot);
        },
      };
      if (signal?.aborted) {
        reject(abortReason(signal));
        return;
      }
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiters.push(waiter);
      this.#settleLeftBehind();
    });
  }

  /** Takes a place without waiting: for a restore that is on the panel already, because an earlier run posted it. */
  occupy(): Slot {
    this.#taken++;
    let released = false;
    return {
      release: (leftBehind) => {
        if (released) return;
        released = true;
        if (leftBehind === undefined) this.#giveBack();
        else {
          this.#leftBehind.add(leftBehind);
          if (this.#waiters.length > 0) this.#settleLeftBehind();
        }
      },
    };
  }

  #giveBack(): void {
    this.#taken--;
    if (this.#taken >= this.#limit) return;
    this.#waiters.shift()?.take(this.occupy());
  }

  #settleLeftBehind(): void {
    for (const posted of this.#leftBehind) {
      this.#leftBehind.delete(posted);
      void posted.settle().then(() => {
        this.#giveBack();
      });
    }
  }
}
