import { abortReason } from "../plain/clock";
import type { Head } from "./watching";

interface Call {
  readonly budgetMs: number;
  settle(outcome: { readonly head: Head } | { readonly error: Error }): void;
}

export interface HeadCallOptions {
  readonly signal?: AbortSignal;
  readonly budgetMs?: number;
}

/** Calls for the newest page that one read will answer. Each can leave by its signal without the others noticing. */
export class HeadCalls {
  readonly #calls = new Set<Call>();
  readonly #defaultBudgetMs: number;
  readonly #onLeave: () => void;

  /** `onLeave` is called after a call was given up by its caller. */
  constructor(defaultBudgetMs: number, onLeave: () => void) {
    this.#defaultBudgetMs = defaultBudgetMs;
    this.#onLeave = onLeave;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** The most patient caller decides how long the shared read may take. */
  get budgetMs(): number {
    let most = 0;
    for (const { budgetMs } of this.#calls) most = Math.max(most, budgetMs);
    return most;
  }

  add({ signal, budgetMs = this.#defaultBudgetMs }: HeadCallOptions): Promise<Head> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        call.settle({ error: abortReason(signal) });
        this.#onLeave();
      };
      const call: Call = {
        budgetMs,
        settle: (outcome) => {
          if (!this.#calls.delete(call)) return;
          signal?.removeEventListener("abort", onAbort);
          if ("head" in outcome) resolve(outcome.head);
          else reject(outcome.error);
        },
      };
      this.#calls.add(call);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  answer(head: Head): void {
    for (const call of [...this.#calls]) call.settle({ head });
  }

  fail(error: Error): void {
    for (const call of [...this.#calls]) call.settle({ error });
  }
}
