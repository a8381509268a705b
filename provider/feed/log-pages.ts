import type { PanelClient, TransactionId } from "../panel/types";
import { Waiters } from "./waiters";
import { pageLength } from "./search-row";

type Logs = ReadonlyMap<TransactionId, string | undefined>;

/** Reads pages of ten rows with their logs. Calls for rows of one page share its request. */
export class LogPages {
  readonly #client: PanelClient;
  readonly #budgetMs: number;
  readonly #reading = new Map<number, Waiters<Logs>>();

  constructor(client: PanelClient, budgetMs: number) {
    this.#client = client;
    this.#budgetMs = budgetMs;
  }

  /**
   * `position` is the number of rows above this one in the last scan. A log is an extra: a failure to read it must
   * not change how a restore ended.
   */
  async read(id: TransactionId, position: number, signal: AbortSignal | undefined): Promise<string | undefined> {
    const page = Math.floor(position / pageLength) + 1;
    const waiters = this.#reading.get(page) ?? this.#startRead(page);
    try {
      return (await waiters.add(signal === undefined ? {} : { signal })).get(id);
    } catch {
      return undefined;
    }
  }

  #startRead(page: number): Waiters<Logs> {
    const controller = new AbortController();
    const waiters = new Waiters<Logs>(this.#budgetMs, () => {
      if (waiters.size > 0) return;
      controller.abort();
      this.#reading.delete(page);
    });
    this.#reading.set(page, waiters);
    this.#client
      .listTransactions({ page, detailed: true }, { budgetMs: this.#budgetMs, signal: controller.signal })
      .finally(() => this.#reading.get(page) === waiters && this.#reading.delete(page))
      .then(
        ({ items }) => {
          waiters.answer(new Map(items.map((row) => [row.id, row.logOutput])));
        },
        () => {
          waiters.answer(new Map());
        },
      );
    return waiters;
  }
}
