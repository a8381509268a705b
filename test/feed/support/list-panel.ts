import { type Clock, pause } from "../../../provider/plain/clock";
import type {
  GetOptions,
  Page,
  PanelClient,
  Transaction,
  TransactionId,
  TransactionPageRequest,
  WalkOptions,
} from "../../../provider/panel/types";

type RowFields = Partial<Omit<Transaction, "id">>;

interface Asked {
  readonly page: number;
  readonly perPage: number;
  readonly detailed: boolean;
  readonly at: number;
}

/** A panel's transaction list in memory, behind the client's interface: what a feed reads, without HTTP. */
export class ListPanel implements PanelClient {
  readonly address = "http://panel.test";
  readonly asked: Asked[] = [];
  /** How long a page takes; no timer at all when 0. */
  answerMs = 0;
  pageCap = Number.POSITIVE_INFINITY;
  /** What the next requests fail with, first one first. */
  readonly failures: Error[] = [];
  /** While set, every request fails with it. */
  down: Error | undefined;
  /**
   * How many rows of others lie above those that were added, made only where a page shows them: a panel that has run for
   * a day holds millions.
   */
  foreignAbove: () => number = () => 0;
  /** Called before each page is cut, with the number of the request: a list that shifts while it is read. */
  beforePage: (request: number) => void = () => undefined;
  inFlight = 0;
  mostInFlight = 0;
  #rows: Transaction[] = [];
  #nextId = 1;

  constructor(private readonly clock: Clock) {}

  get rows(): readonly Transaction[] {
    return this.#rows;
  }

  /** Adds a row on top. */
  add(fields: RowFields = {}, id = String(this.#nextId++)): TransactionId {
    const row = { id: id as TransactionId, status: "pending", fields: {}, ...fields };
    this.#rows.unshift(row);
    return row.id;
  }

  addMany(count: number, fields: RowFields = {}): TransactionId[] {
    return Array.from({ length: count }, () => this.add(fields));
  }

  /** Lists these rows at once, newest first, and nothing else. */
  list(ids: readonly string[]): void {
    this.#rows = ids.map((id) => ({ id: id as TransactionId, status: "pending", fields: {} }));
  }

  change(id: TransactionId, fields: RowFields): void {
    this.#rows = this.#rows.map((row) => (row.id === id ? { ...row, ...fields } : row));
  }

  remove(id: TransactionId): void {
    this.#rows = this.#rows.filter((row) => row.id !== id);
  }

  /** Forgets all but the newest rows. */
  keep(count: number): void {
    this.#rows.length = Math.min(this.#rows.length, count);
  }

  async listTransactions(
    { page = 1, perPage = 10, detailed = false }: TransactionPageRequest = {},
    { signal }: GetOptions = {},
  ): Promise<Page<Transaction>> {
    this.asked.push({ page, perPage, detailed, at: this.clock.now() });
    this.inFlight++;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      if (this.answerMs > 0) await pause(this.clock, this.answerMs, signal);
      signal?.throwIfAborted();
      const failure = this.failures.shift() ?? this.down;
      if (failure !== undefined) throw failure;
      this.beforePage(this.asked.length);
      const size = Math.min(perPage, this.pageCap);
      const items = this.#cut((page - 1) * size, page * size);
      return {
        items: detailed ? items : items.map(withoutLog),
        skipped: 0,
      };
    } finally {
      this.inFlight--;
    }
  }

  #cut(from: number, to: number): Transaction[] {
    const foreign = this.foreignAbove();
    const items: Transaction[] = [];
    for (let position = from; position < Math.min(to, foreign); position++) {
      const id = String(this.#nextId + foreign - position) as TransactionId;
      items.push({ id, status: "complete", action: "take_backup", fields: {} });
    }
    return [...items, ...this.#rows.slice(Math.max(0, from - foreign), Math.max(0, to - foreign))];
  }

  async *walkTransactions({ perPage, ...options }: WalkOptions): AsyncGenerator<Page<Transaction>> {
    const seen = new Set<TransactionId>();
    for (let page = 1; ; page++) {
      const answer = await this.listTransactions({ page, perPage }, options);
      const items = answer.items.filter(({ id }) => !seen.has(id));
      for (const { id } of items) seen.add(id);
      if (answer.items.length === 0) return;
      if (items.length > 0) yield { ...answer, items };
    }
  }

  restoreMachine(): never {
    throw new Error("a feed posts nothing");
  }

  restoreFiles(): never {
    throw new Error("a feed posts nothing");
  }

  listLogItems(): never {
    throw new Error("a feed reads no machine's log");
  }

  listRecoveryPoints(): never {
    throw new Error("a feed reads no recovery points");
  }

  walkLogItems(): never {
    throw new Error("a feed reads no machine's log");
  }

  close(): void {
    // Nothing is open.
  }
}

function withoutLog(row: Transaction): Transaction {
  const rest: { -readonly [Key in keyof Transaction]: Transaction[Key] } = { ...row };
  delete rest.logOutput;
  return rest;
}
