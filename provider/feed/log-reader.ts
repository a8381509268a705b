import { compareIds, type PanelClient, type TransactionId } from "../panel/types";
import type { Clock } from "../plain/clock";
import { type Finding, Halving } from "./halving";
import { readNumberedPage } from "./numbered-page";

export interface LogReaderOptions {
  readonly client: PanelClient;
  readonly clock: Clock;
  readonly budgetMs: number;
  /** The most rows asked for with one request, but for the panel's own ten. */
  readonly pageSize: number;
  /** The newest row of the last walk. */
  readonly newest: () => TransactionId | undefined;
  /** How many rows lay above this one when it was last seen, as of now. */
  readonly positionOf: (id: TransactionId) => number | undefined;
  /** How many new rows may come above a row until it is read. */
  readonly drift: () => number;
}

interface Ask extends Placed {
  readonly answered: boolean;
  answer(logOutput: string | undefined): void;
}

/** Restores that end in one tick ask within a few turns of the event loop; this is time enough for all of them. */
const shareWindowMs = 20;

/** Reads the log output of rows by their place in the list, many with one request where they lie close together. */
export class LogReader {
  readonly #options: LogReaderOptions;
  readonly #asks = new Set<Ask>();
  #cancelTimer: (() => void) | undefined;
  #reading = new Set<{ readonly asks: readonly Ask[]; readonly controller: AbortController }>();

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  read(id: TransactionId, signal?: AbortSignal): Promise<string | undefined> {
    const position = this.#options.positionOf(id);
    if (position === undefined || signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const onAbort = (): void => {
        ask.answer(undefined);
        this.#dropUnwanted();
      };
      let answered = false;
      const ask: Ask = {
        id,
        position,
        get answered() {
          return answered;
        },
        answer: (logOutput) => {
          answered = true;
          this.#asks.delete(ask);
          signal?.removeEventListener("abort", onAbort);
          resolve(logOutput);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#asks.add(ask);
      this.#cancelTimer ??= this.#options.clock.after(shareWindowMs, () => {
        this.#readAll();
      });
    });
  }

  #readAll(): void {
    this.#cancelTimer = undefined;
    const asks = [...this.#asks];
    this.#asks.clear();
    const placed = new Map(asks.map((ask) => [ask.id, ask]));
    for (const page of logPages([...placed.values()], this.#options.drift(), this.#options.pageSize)) {
      void this.#readPage(
        page,
        asks.filter(({ id }) => page.ids.includes(id)),
      );
    }
  }

  async #readPage({ page, perPage }: LogPage, asks: readonly Ask[]): Promise<void> {
    const { client, budgetMs } = this.#options;
    const reading = { asks, controller: new AbortController() };
    const logs = new Map<TransactionId, string | undefined>();
    this.#reading.add(reading);
    try {
      const { signal } = reading.controller;
      const { items } = await client.listTransactions({ page, perPage, detailed: true }, { budgetMs, signal });
      for (const row of items) logs.set(row.id, row.logOutput);
      for (const { id } of asks) if (!logs.has(id)) await this.#findElsewhere(id, logs, signal);
    } catch {
      // A log is an extra: that it could not be read must not change how a restore ended.
    }
    this.#reading.delete(reading);
    for (const ask of asks) ask.answer(logs.get(ask.id));
  }

  /** A row that is not where it was expected is found by halving. */
  async #findElsewhere(
    id: TransactionId,
    logs: Map<TransactionId, string | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, budgetMs, newest } = this.#options;
    const newestId = newest();
    if (newestId === undefined || !((compareIds(newestId, id) ?? 0) > 0)) return;
    const way = new Halving(id, { page: 0, id: newestId, rowsPerId: 1 });
    for (let finding: Finding = "look on"; finding === "look on";) {
      const { page } = way;
      const rows = await readNumberedPage(client, { page, detailed: true }, { budgetMs, signal });
      for (const row of rows) logs.set(row.id, row.logOutput);
      finding = way.judge(
        page,
        rows.map((row) => row.id),
      );
    }
  }

  /** Ends the timer, or the request, that nobody waits for any more. */
  #dropUnwanted(): void {
    if (this.#asks.size === 0) {
      this.#cancelTimer?.();
      this.#cancelTimer = undefined;
    }
    for (const { asks, controller } of this.#reading) {
      if (asks.every(({ answered }) => answered)) controller.abort();
    }
  }
}

interface LogPage {
  readonly page: number;
  readonly perPage: number;
  readonly ids: readonly TransactionId[];
}

interface Placed {
  readonly id: TransactionId;
  /** Rows above it when it was last seen. */
  readonly position: number;
}

/** Pages of this size have a number on every panel; other sizes are safe only for the page on top. */
const numberedPage = 10;
/** Rows with their log are large: no more of them are read at once than this, and only for a row that may be on either of two pages. */
const longestTopPage = 50;
/** Rows near the top share one page of this many rows at most. */
const shortTopPage = 20;

/**
 * The pages on which to find each row, should up to `drift` new rows have come above it since it was seen: never
 * more pages than rows, as small as one request per page allows, and no larger than the page size but for the panel's own ten.
 */
export function logPages(rows: readonly Placed[], drift: number, pageSize = longestTopPage): LogPage[] {
  const top: Placed[] = [];
  const numbered = new Map<number, TransactionId[]>();
  for (const row of rows) {
    const lowest = row.position + drift;
    const mayBeOnTwo = numberOf(row.position) !== numberOf(lowest);
    if (lowest < Math.min(pageSize, mayBeOnTwo ? longestTopPage : shortTopPage)) {
      top.push(row);
    } else {
      const page = numberOf(row.position + drift / 2);
      numbered.set(page, [...(numbered.get(page) ?? []), row.id]);
    }
  }
  const pages = [...numbered].map(([page, ids]): LogPage => ({ page, perPage: numberedPage, ids }));
  if (top.length === 0) return pages;
  const perPage = Math.max(...top.map(({ position }) => position)) + drift + 1;
  return [{ page: 1, perPage, ids: top.map(({ id }) => id) }, ...pages];
}

function numberOf(position: number): number {
  return Math.floor(position / numberedPage) + 1;
}
