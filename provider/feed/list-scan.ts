import { pageOrNone } from "../panel/list-page";
import { isDecimalId, type Page, type PanelClient, type Transaction, type TransactionId } from "../panel/types";
import type { Clock } from "../plain/clock";
import type { ScanProgress } from "./scan-progress";
import { idDistance, highestId, isNewestFirst } from "./newest-first";
import { type Bound, pageLength, searchRow } from "./search-row";
import type { NewestPage } from "./types";

/** One watch's part in one walk. */
export interface ScanPart {
  readonly progress: ScanProgress;
  readonly wants: (row: Transaction) => boolean;
  /** Wanted rows that were met, newest first, each as it was read last. */
  readonly found: Map<TransactionId, Transaction>;
}

/** Where a walk met the rows that somebody wants: how many rows lay above each, and the newest row there was. */
export interface RowPositions {
  readonly newestId: TransactionId | undefined;
  readonly byId: ReadonlyMap<TransactionId, number>;
}

export interface ScanOptions {
  readonly client: PanelClient;
  readonly clock: Clock;
  readonly perPage: number;
  /** Time for one page with all its tries. */
  readonly budgetMs: number;
  /** Where ids do not tell when a walk has come far enough, it goes no further than this. */
  readonly pageLimit: number;
  /** Reads the newest page and no more. */
  readonly newestPageOnly: boolean;
  readonly signal: AbortSignal;
  readonly parts: readonly ScanPart[];
  readonly previousPositions: RowPositions;
  /** Called as soon as the newest page is there. */
  readonly onNewestPage: (newestPage: NewestPage) => void;
}

export interface ScanResult {
  readonly newestPage: NewestPage;
  /** Every visitor came as far as its floor needs. */
  readonly complete: boolean;
  readonly requests: number;
  /** Pages that were read one after the other, and the last of them that was of use: a wanted row was on it, or it was enough for somebody. */
  readonly pages: number;
  readonly lastUsefulPage: number;
  readonly positions: RowPositions;
}

/**
 * Reads the list newest first until every visitor has seen what it needs: page by page, and straight to the pages of
 * awaited rows where that takes fewer requests.
 */
export async function scanList(options: ScanOptions): Promise<ScanResult> {
  const { client, budgetMs, signal, perPage, newestPageOnly } = options;
  const scan = new ListScan(options);
  const pages = client.walkTransactions({ perPage, budgetMs, signal })[Symbol.asyncIterator]();
  try {
    while (scan.hasMoreToRead) {
      const rowToSearch = scan.rowToSearch;
      if (rowToSearch !== undefined) {
        await scan.searchFor(rowToSearch);
        continue;
      }
      const next = await pages.next();
      if (next.done === true) scan.endList();
      else scan.takePage(next.value);
      if (newestPageOnly) break;
    }
  } finally {
    await pages.return?.();
  }
  return scan.result;
}

/** Pages that a search may take, with and without a place to begin at: reading on page by page is cheaper for what is nearer. */
const pagesWorthASearch = { known: 2, unknown: 6 };

/** How far a walk has come: what was read, who has not seen enough, where the wanted rows are. */
class ListScan {
  readonly #options: ScanOptions;
  readonly #positions = new Map<TransactionId, number>();
  readonly #readAt: number;
  readonly #wallTime: Date;
  /** Those who have not seen enough. What lies further down does not concern the others. */
  #unfinished: readonly ScanPart[];
  #newestPage: NewestPage | undefined;
  #isNewestFirst = false;
  #hasEnded = false;
  #requests = 0;
  #pages = 0;
  #lastUsefulPage = 0;
  #rowsRead = 0;
  #newestId: TransactionId | undefined;
  #oldestId: TransactionId | undefined;
  #lastFound: Bound | undefined;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#unfinished = options.parts;
    this.#readAt = options.clock.now();
    this.#wallTime = options.clock.wallTime();
  }

  get hasMoreToRead(): boolean {
    if (this.#pages === 0) return !this.#hasEnded;
    if (this.#hasEnded || this.#unfinished.length === 0) return false;
    const isSureToEnd = this.#isNewestFirst && this.#unfinished.every(({ progress }) => progress.idsTellTheEnd);
    return isSureToEnd || this.#pages < this.#options.pageLimit;
  }

  /** The awaited row to go to straight away; undefined to read the page that follows. */
  get rowToSearch(): TransactionId | undefined {
    if (!this.#isNewestFirst || this.#unfinished.some(({ progress }) => progress.needsEveryRow)) return undefined;
    const id = highestId(this.#unfinished.flatMap(({ progress }) => [...progress.missing]));
    if (id === undefined || !isDecimalId(id)) return undefined;
    const position = this.#expectedPosition(id);
    const rowsToGo =
      position === undefined ? idDistance(this.#oldestId, id) * this.#rowsPerId : position - this.#rowsRead;
    const pagesToGo = (rowsToGo * this.#pages) / this.#rowsRead;
    return pagesToGo > (position === undefined ? pagesWorthASearch.unknown : pagesWorthASearch.known) ? id : undefined;
  }

  async searchFor(id: TransactionId): Promise<void> {
    const { client, budgetMs, signal } = this.#options;
    const position = this.#expectedPosition(id);
    const found = await searchRow(id, {
      read: async (page) => {
        this.#requests++;
        const answer = await pageOrNone((asked) => client.listTransactions(asked, { budgetMs, signal }), { page });
        return answer?.items ?? [];
      },
      start: this.#lowestRead,
      rowsPerId: this.#rowsPerId,
      ...(position !== undefined && { expectedPage: Math.floor(position / pageLength) + 1 }),
    });
    if (found === "no order") this.#isNewestFirst = false;
    else if (found === "not listed") for (const { progress } of this.#unfinished) progress.setNotListed(id);
    else {
      this.#lastFound = { page: found.page, id: found.rows.at(-1)?.id };
      for (const [index, row] of found.rows.entries()) this.#show(row, (found.page - 1) * pageLength + index);
    }
    this.#dropFinished();
  }

  /** Takes the page that follows the ones before it. */
  takePage(page: Page<Transaction>): void {
    const { items } = page;
    this.#requests++;
    this.#pages++;
    if (this.#newestPage === undefined) {
      // Such a page would pass for an empty list, on which nothing was posted and nothing keeps a machine busy.
      if (items.length === 0 && page.skipped > 0) throw new Error("none of the rows of the panel's list has an id");
      this.#takeNewestPage(page);
    }
    const before = this.#unfinished.length;
    let isUseful = false;
    for (const row of items) isUseful = this.#show(row, this.#rowsRead++) || isUseful;
    this.#oldestId = items.at(-1)?.id ?? this.#oldestId;
    const last = this.#isNewestFirst ? items.at(-1)?.id : undefined;
    for (const { progress } of this.#unfinished) progress.endPage(last);
    this.#dropFinished();
    if (isUseful || this.#unfinished.length < before) this.#lastUsefulPage = this.#pages;
  }

  /** The list has no more rows. Who looked for a certain one has read down here in vain. */
  endList(): void {
    this.#hasEnded = true;
    if (this.#newestPage === undefined) this.#takeNewestPage({ items: [], skipped: 0 });
    if (this.#unfinished.some(({ progress }) => progress.missing.size === 0)) this.#lastUsefulPage = this.#pages;
    for (const { progress } of this.#unfinished) progress.endList();
    this.#dropFinished();
  }

  get result(): ScanResult {
    const newestPage = this.#newestPage ?? this.#takeNewestPage({ items: [], skipped: 0 });
    return {
      newestPage,
      complete: this.#unfinished.length === 0,
      requests: this.#requests,
      pages: this.#pages,
      lastUsefulPage: this.#lastUsefulPage,
      positions: { newestId: this.#newestId, byId: this.#positions },
    };
  }

  #takeNewestPage({ items, panelTime }: Page<Transaction>): NewestPage {
    const newestPage: NewestPage = {
      rows: items,
      readAt: this.#readAt,
      answeredAt: this.#options.clock.now(),
      wallTime: this.#wallTime,
      ...(panelTime !== undefined && { panelTime }),
    };
    this.#newestPage = newestPage;
    this.#newestId = highestId(items.map(({ id }) => id));
    this.#isNewestFirst = isNewestFirst(items);
    this.#options.onNewestPage(newestPage);
    return newestPage;
  }

  /** Shows a row to everyone it may concern, and remembers the place of one that somebody wants. */
  #show(row: Transaction, position: number): boolean {
    let isWanted = false;
    for (const { progress, wants, found } of this.#unfinished) {
      if (!progress.takeRow(row) || !wants(row)) continue;
      found.set(row.id, row);
      isWanted = true;
    }
    if (isWanted) this.#positions.set(row.id, position);
    return isWanted;
  }

  #dropFinished(): void {
    this.#unfinished = this.#unfinished.filter(({ progress }) => !progress.reachedStop);
  }

  /** A page that lies above all rows that are still missing. */
  get #lowestRead(): Bound {
    const read = { page: Math.floor(this.#rowsRead / pageLength), id: this.#oldestId };
    return this.#lastFound !== undefined && this.#lastFound.page > read.page ? this.#lastFound : read;
  }

  /** How many rows lie above a row that the walk before has met; more by what has come since. */
  #expectedPosition(id: TransactionId): number | undefined {
    const { byId, newestId } = this.#options.previousPositions;
    const position = byId.get(id);
    return position === undefined
      ? undefined
      : position + Math.round(idDistance(this.#newestId, newestId) * this.#rowsPerId);
  }

  /** How many rows there are for each number of the ids, as far as the walk has read. */
  get #rowsPerId(): number {
    const span = idDistance(this.#newestId, this.#oldestId);
    return span > 0 ? Math.min(1, (this.#rowsRead - 1) / span) : 1;
  }
}
