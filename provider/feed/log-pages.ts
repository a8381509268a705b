import type { PanelClient, TransactionId } from "../panel/types";
import { pageLength } from "./search-row";

type Logs = ReadonlyMap<TransactionId, string | undefined>;

/** Reads pages of ten rows with their logs. Calls for rows of one page share its request. */
export class LogPages {
  readonly #client: PanelClient;
  readonly #budgetMs: number;
  readonly #reading = new Map<number, Promise<Logs>>();

  constructor(client: PanelClient, budgetMs: number) {
    this.#client = client;
    this.#budgetMs = budgetMs;
  }

  /**
   * `position` is the number of rows above this one in the last scan. A log is an extra: a failure to read it must
   * not change how a restore ended.
   */
  async read(id: TransactionId, position: number): Promise<string | undefined> {
    const page = Math.floor(position / pageLength) + 1;
    const reading = this.#reading.get(page) ?? this.#readPage(page);
    this.#reading.set(page, reading);
    return (await reading).get(id);
  }

  async #readPage(page: number): Promise<Logs> {
    try {
      const { items } = await this.#client.listTransactions({ page, detailed: true }, { budgetMs: this.#budgetMs });
      return new Map(items.map((row) => [row.id, row.logOutput]));
    } catch {
      return new Map();
    } finally {
      this.#reading.delete(page);
    }
  }
}
