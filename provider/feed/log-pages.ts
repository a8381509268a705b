import type { PanelClient, TransactionId } from "../panel/types";
import { Callers } from "./callers";
import { pageLength } from "./search";

type Logs = ReadonlyMap<TransactionId, string | undefined>;

/** Reads pages of ten rows with their logs; calls for rows of one page share its request. */
export class LogPages {
  readonly #client: PanelClient;
  readonly #budgetMs: number;
  readonly #reading = new Map<number, Callers<Logs>>();

  constructor(client: PanelClient, budgetMs: number) {
    this.#client = client;
    this.#budgetMs = budgetMs;
  }

  /** `place`: how many rows lay above this one when it was met. A log is an extra: that it could not be read must not change how a restore ended. */
  async read(id: TransactionId, place: number, signal: AbortSignal | undefined): Promise<string | undefined> {
    const page = Math.floor(place / pageLength) + 1;
    const callers = this.#reading.get(page) ?? this.#begin(page);
    try {
      return (await callers.add(signal === undefined ? {} : { signal })).get(id);
    } catch {
      return undefined;
    }
  }

  #begin(page: number): Callers<Logs> {
    const controller = new AbortController();
    const callers = new Callers<Logs>(this.#budgetMs, () => {
      if (callers.size > 0) return;
      controller.abort();
      this.#reading.delete(page);
    });
    this.#reading.set(page, callers);
    this.#client
      .listTransactions({ page, detailed: true }, { budgetMs: this.#budgetMs, signal: controller.signal })
      .finally(() => this.#reading.get(page) === callers && this.#reading.delete(page))
      .then(
        ({ items }) => {
          callers.answer(new Map(items.map((row) => [row.id, row.logOutput])));
        },
        () => {
          callers.answer(new Map());
        },
      );
    return callers;
  }
}
