import { abortReason } from "../plain/clock";

interface Waiter<Answer> {
  readonly budgetMs: number;
  settle(outcome: { readonly answer: Answer } | { readonly error: Error }): void;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly budgetMs?: number;
}

/** Calls waiting for the answer of one read. Each may leave by its signal without disturbing the others. */
export class Waiters<Answer> {
  readonly #waiters = new Set<Waiter<Answer>>();
  readonly #defaultBudgetMs: number;
  readonly #onLeave: () => void;

  /** Calls `onLeave` after a waiter gave up. */
  constructor(defaultBudgetMs: number, onLeave: () => void) {
    this.#defaultBudgetMs = defaultBudgetMs;
    this.#onLeave = onLeave;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** The most patient waiter decides how long the shared read may take. */
  get budgetMs(): number {
    let most = 0;
    for (const { budgetMs } of this.#waiters) most = Math.max(most, budgetMs);
    return most;
  }

  add({ signal, budgetMs = this.#defaultBudgetMs }: CallOptions): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiter.settle({ error: abortReason(signal) });
        this.#onLeave();
      };
      const waiter: Waiter<Answer> = {
        budgetMs,
        settle: (outcome) => {
          if (!this.#waiters.delete(waiter)) return;
          signal?.removeEventListener("abort", onAbort);
          if ("answer" in outcome) resolve(outcome.answer);
          else reject(outcome.error);
        },
      };
      this.#waiters.add(waiter);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  answer(answer: Answer): void {
    for (const waiter of [...this.#waiters]) waiter.settle({ answer });
  }

  fail(error: Error): void {
    for (const waiter of [...this.#waiters]) waiter.settle({ error });
  }
}
