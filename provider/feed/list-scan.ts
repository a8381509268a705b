import { pageOrNone } from "../panel/list-page";
import { isDecimalId, type Page, type PanelClient, type Transaction, type TransactionId } from "../panel/types";
import type { Clock } from "../plain/clock";
import { highestId, idDistance, isNewestFirst } from "./newest-first";
import type { ScanProgress } from "./scan-progress";
import { type Bound, pageLength, searchRow } from "./search-row";
import type { ListRead, NewestPage } from "./types";

/** One subscriber's part in one scan. */
export interface ScanPart {
  /** The scan goes on until it has all it asks for. Another one hears of the newest page if that is all it asks for. */
  readonly isDue: boolean;
  readonly progress: ScanProgress;
  readonly wants: (row: Transaction) => boolean;
  /** The wanted rows met so far, newest first, each as last read. */
  readonly found: Map<TransactionId, Transaction>;
  /** Called once: as soon as the stop is reached, or when the scan ends above it. */
  readonly onRead: (read: ListRead) => void;
}

/** The position of a row in the last scan that met it (how many rows lay above it), and the newest id of that scan. */
interface RowPosition {
  readonly position: number;
  readonly newestId: TransactionId | undefined;
}
export type RowPositions = Map<TransactionId, RowPosition>;

/** How the list is read. */
export interface ListAccess {
  readonly client: PanelClient;
  readonly clock: Clock;
  /** Rows asked for per request. */
  readonly pageSize: number;
  /** The longest time for one request with all its tries. */
  readonly requestTimeoutMs: number;
}

interface ScanOptions extends ListAccess {
  /** The limit of a scan whose ids do not tell its end. */
  readonly pageLimit: number;
  readonly signal: AbortSignal;
  readonly parts: readonly ScanPart[];
  readonly previousPositions: ReadonlyMap<TransactionId, RowPosition>;
  /** Filled as rows are met. */
  readonly positions: RowPositions;
}

/**
 * A search is worth its requests beyond so many pages, with and without an expected position. Nearer rows are cheaper
 * to reach page by page.
 */
const pagesWorthASearch = { known: 2, unknown: 6 };
/** Rows that go on for more pages around a found row are no chain of one job. */
const mostPagesAround = 20;

/**
 * One scan of the list, newest first, until every subscriber's stop is reached: page by page, and straight to the pages
 * of awaited rows if that takes fewer requests.
 */
export class ListScan {
  readonly #options: ScanOptions;
  readonly #readAt: number;
  readonly #wallTime: Date;
  /** Subscribers who have not reached their stop. Rows further down do not concern the others. */
  #unfinished: readonly ScanPart[];
  #newestPage: NewestPage | undefined;
  #isNewestFirst = false;
  #hasEnded = false;
  #requests = 0;
  /** Pages read in turn, and the last useful one: it held a wanted row, or somebody's stop. */
  pages = 0;
  lastUsefulPage = 0;
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

  async run(): Promise<void> {
    const { client, pageSize, requestTimeoutMs: budgetMs, signal } = this.#options;
    const pages = client.walkTransactions({ perPage: pageSize, budgetMs, signal })[Symbol.asyncIterator]();
    try {
      while (this.#hasMoreToRead) {
        const search = this.#worthASearch;
        if (search !== undefined) {
          await this.#searchFor(search);
          continue;
        }
        const next = await pages.next();
        if (next.done === true) this.#endList();
        else this.#takePage(next.value);
      }
    } finally {
      await pages.return?.();
    }
    for (const part of this.#unfinished) this.#handOver(part);
  }

  get #hasMoreToRead(): boolean {
    if (this.pages === 0) return !this.#hasEnded;
    if (this.#hasEnded || this.#unfinished.length === 0) return false;
    const isSureToEnd = this.#isNewestFirst && this.#unfinished.every(({ progress }) => progress.idsTellTheEnd);
    return isSureToEnd || this.pages < this.#options.pageLimit;
  }

  /** The awaited row to search for now, and its expected position; undefined to read the next page in turn. */
  get #worthASearch(): { readonly id: TransactionId; readonly position: number | undefined } | undefined {
    if (!this.#isNewestFirst || this.#unfinished.some(({ progress }) => progress.needsEveryRow || progress.isOpenBelow))
      return undefined;
    const id = highestId(this.#unfinished.flatMap(({ progress }) => [...progress.missing]));
    if (id === undefined || !isDecimalId(id)) return undefined;
    // Its position in the last scan that met it, plus the rows that came since.
    const known = this.#options.previousPositions.get(id);
    const position = known && known.position + Math.round(idDistance(this.#newestId, known.newestId) * this.#rowsPerId);
    const rowsToGo =
      position === undefined ? idDistance(this.#oldestId, id) * this.#rowsPerId : position - this.#rowsRead;
    const pagesToGo = (rowsToGo * this.pages) / this.#rowsRead;
    const isWorthIt = pagesToGo > pagesWorthASearch[position === undefined ? "unknown" : "known"];
    return isWorthIt ? { id, position } : undefined;
  }

  async #searchFor({ id, position }: { id: TransactionId; position: number | undefined }): Promise<void> {
    const found = await searchRow(id, {
      read: (page) => this.#readPage(page),
      start: this.#lowestRead,
      rowsPerId: this.#rowsPerId,
      ...(position !== undefined && { expectedPage: Math.floor(position / pageLength) + 1 }),
    });
    if (found === "no order") this.#isNewestFirst = false;
    else if (found === "not listed") for (const { progress } of this.#unfinished) progress.missing.delete(id);
    else {
      this.#lastFound = { page: found.page, id: found.rows.at(-1)?.id };
      if (this.#unfinished.some(({ progress }) => progress.stopRule.around === true))
        await this.#readAround(id, found.page);
      else this.#showPage(found.page, found.rows);
    }
    this.#dropFinished();
  }

  /**
   * Shows the page of a found row and those around it, from above: rows move down meanwhile, so none slips by between two pages. Begins higher
   * up as long as the first rows may belong to it.
   */
  async #readAround(id: TransactionId, page: number): Promise<void> {
    const around = this.#unfinished.map(({ progress }) => progress).filter(({ stopRule }) => stopRule.around === true);
    let isMet = false;
    for (let above = 1, pages = 0; pages < mostPagesAround; above *= 2) {
      const first = Math.max(1, page - above);
      for (const progress of around) progress.beginStretch(first === 1);
      isMet = false;
      for (let at = first; pages < mostPagesAround && (!isMet || around.some(({ isOpenBelow }) => isOpenBelow)); at++) {
        const rows = await this.#readPage(at);
        pages++;
        this.#showPage(at, rows);
        isMet ||= rows.some((row) => row.id === id);
        if (rows.length === 0) break;
      }
      if (isMet && !around.some(({ isOpenAbove }) => isOpenAbove)) break;
    }
    for (const progress of around) progress.endStretch();
    // It moves faster than it is read: the next scan tries again.
    if (!isMet) this.#hasEnded = true;
  }

  async #readPage(page: number): Promise<readonly Transaction[]> {
    const { client, requestTimeoutMs: budgetMs, signal } = this.#options;
    this.#requests++;
    const answer = await pageOrNone((asked) => client.listTransactions(asked, { budgetMs, signal }), { page });
    return answer?.items ?? [];
  }

  #showPage(page: number, rows: readonly Transaction[]): void {
    for (const [index, row] of rows.entries()) this.#show(row, (page - 1) * pageLength + index);
  }

  /** Takes the next page in turn. */
  #takePage(page: Page<Transaction>): void {
    const { items } = page;
    this.#requests++;
    this.pages++;
    if (this.#newestPage === undefined) {
      // Such a page would pass for an empty list: nothing was posted, and no machine is busy.
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
    this.#unfinished = this.#unfinished.filter(({ isDue }) => isDue);
    if (isUseful || this.#unfinished.length < before) this.lastUsefulPage = this.pages;
  }

  /** The list has no more rows, so rows still missing are not listed. */
  #endList(): void {
    this.#hasEnded = true;
    if (this.#newestPage === undefined) this.#takeNewestPage({ items: [], skipped: 0 });
    if (this.#unfinished.some(({ progress }) => progress.missing.size === 0)) this.lastUsefulPage = this.pages;
    for (const { progress } of this.#unfinished) progress.endList();
    this.#dropFinished();
  }

  #handOver({ progress: { reachedStop, reachedMark, stopRule }, found, onRead }: ScanPart): void {
    const [rows, newestPage, inOneRequest] = [[...found.values()], this.#newestPage, this.#requests === 1];
    if (newestPage) onRead({ rows, reachedStop, reachedMark, stopRule, inOneRequest, newestPage });
  }

  #takeNewestPage({ items, panelTime }: Page<Transaction>): void {
    this.#newestPage = {
      rows: items,
      readAt: this.#readAt,
      answeredAt: this.#options.clock.now(),
      wallTime: this.#wallTime,
      ...(panelTime !== undefined && { panelTime }),
    };
    this.#newestId = highestId(items.map(({ id }) => id));
    this.#isNewestFirst = isNewestFirst(items);
  }

  /** Shows a row to every unfinished subscriber, and remembers its position if somebody wants it. */
  #show(row: Transaction, position: number): boolean {
    let isWanted = false;
    for (const { progress, wants, found } of this.#unfinished) {
      if (!progress.takeRow(row) || !wants(row)) continue;
      progress.takeWanted();
      found.set(row.id, row);
      isWanted = true;
    }
    if (isWanted) this.#options.positions.set(row.id, { position, newestId: this.#newestId });
    return isWanted;
  }

  #dropFinished(): void {
    const finished = this.#unfinished.filter(({ progress }) => progress.reachedStop);
    this.#unfinished = this.#unfinished.filter(({ progress }) => !progress.reachedStop);
    for (const part of finished) this.#handOver(part);
  }

  /** A page above all missing rows. */
  get #lowestRead(): Bound {
    const read = { page: Math.floor(this.#rowsRead / pageLength), id: this.#oldestId };
    return this.#lastFound !== undefined && this.#lastFound.page > read.page ? this.#lastFound : read;
  }

  /** The rows per id number, as far as the scan has read: ids may have gaps. */
  get #rowsPerId(): number {
    const span = idDistance(this.#newestId, this.#oldestId);
    return span > 0 ? Math.min(1, (this.#rowsRead - 1) / span) : 1;
  }
}
