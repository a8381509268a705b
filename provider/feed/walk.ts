import { pageOrNone } from "../panel/list-page";
import { isDecimalId, type Page, type PanelClient, type Transaction, type TransactionId } from "../panel/types";
import type { Clock } from "../plain/clock";
import type { Descent } from "./floor";
import { distance, highest, isNewestFirst } from "./newest-first";
import { type Edge, pageLength, search } from "./search";
import type { Head } from "./watching";

/** One watch's part in one walk. */
export interface Visitor {
  readonly descent: Descent;
  readonly wants: (row: Transaction) => boolean;
  /** Wanted rows that were met, newest first, each as it was read last. */
  readonly found: Map<TransactionId, Transaction>;
}

/** Where a walk met the rows that somebody wants: how many rows lay above each, and the newest row there was. */
export interface Places {
  readonly newest: TransactionId | undefined;
  readonly of: ReadonlyMap<TransactionId, number>;
}

export interface WalkDownOptions {
  readonly client: PanelClient;
  readonly clock: Clock;
  readonly perPage: number;
  /** Time for one page with all its tries. */
  readonly budgetMs: number;
  /** Where ids do not tell when a walk has come far enough, it goes no further than this. */
  readonly mostPages: number;
  /** Reads the newest page and no more. */
  readonly headOnly: boolean;
  readonly signal: AbortSignal;
  readonly visitors: readonly Visitor[];
  readonly before: Places;
  /** Called as soon as the newest page is there. */
  readonly onHead: (head: Head) => void;
}

export interface Walked {
  readonly head: Head;
  /** Every visitor came as far as its floor needs. */
  readonly complete: boolean;
  readonly requests: number;
  /** Pages that were read one after the other, and the last of them that was of use: a wanted row was on it, or it was enough for somebody. */
  readonly pages: number;
  readonly lastUsefulPage: number;
  readonly places: Places;
}

/**
 * Reads the list newest first until every visitor has seen what it needs: page by page, and straight to the pages of
 * awaited rows where that takes fewer requests.
 */
export async function walkDown(options: WalkDownOptions): Promise<Walked> {
  const { client, budgetMs, signal, perPage, headOnly } = options;
  const course = new Course(options);
  const pages = client.walkTransactions({ perPage, budgetMs, signal })[Symbol.asyncIterator]();
  try {
    while (course.goesOn) {
      const sought = course.sought;
      if (sought !== undefined) {
        await course.seek(sought);
        continue;
      }
      const next = await pages.next();
      if (next.done === true) course.end();
      else course.follow(next.value);
      if (headOnly) break;
    }
  } finally {
    await pages.return?.();
  }
  return course.walked;
}

/** Pages that a search may take, with and without a place to begin at: reading on page by page is cheaper for what is nearer. */
const pagesToSearch = { known: 2, unknown: 6 };

/** How far a walk has come: what was read, who has not seen enough, where the wanted rows are. */
class Course {
  readonly #options: WalkDownOptions;
  readonly #places = new Map<TransactionId, number>();
  readonly #readAt: number;
  readonly #wallTime: Date;
  /** Those who have not seen enough. What lies further down does not concern the others. */
  #looking: readonly Visitor[];
  #head: Head | undefined;
  #isNewestFirst = false;
  #hasEnded = false;
  #requests = 0;
  #pages = 0;
  #lastUsefulPage = 0;
  #rowsRead = 0;
  #newest: TransactionId | undefined;
  #oldest: TransactionId | undefined;
  #searched: Edge | undefined;

  constructor(options: WalkDownOptions) {
    this.#options = options;
    this.#looking = options.visitors;
    this.#readAt = options.clock.now();
    this.#wallTime = options.clock.wallTime();
  }

  get goesOn(): boolean {
    if (this.#pages === 0) return !this.#hasEnded;
    if (this.#hasEnded || this.#looking.length === 0) return false;
    const isSureToEnd = this.#isNewestFirst && this.#looking.every(({ descent }) => descent.endsByOrder);
    return isSureToEnd || this.#pages < this.#options.mostPages;
  }

  /** The awaited row to go to straight away; undefined to read the page that follows. */
  get sought(): TransactionId | undefined {
    if (!this.#isNewestFirst || this.#looking.some(({ descent }) => descent.needsEveryRow)) return undefined;
    const id = highest(this.#looking.flatMap(({ descent }) => [...descent.missing]));
    if (id === undefined || !isDecimalId(id)) return undefined;
    const place = this.#placeOf(id);
    const rowsToGo = place === undefined ? distance(this.#oldest, id) * this.#rowsPerId : place - this.#rowsRead;
    const pagesToGo = (rowsToGo * this.#pages) / this.#rowsRead;
    return pagesToGo > (place === undefined ? pagesToSearch.unknown : pagesToSearch.known) ? id : undefined;
  }

  async seek(id: TransactionId): Promise<void> {
    const { client, budgetMs, signal } = this.#options;
    const place = this.#placeOf(id);
    const found = await search(id, {
      read: async (page) => {
        this.#requests++;
        const answer = await pageOrNone((asked) => client.listTransactions(asked, { budgetMs, signal }), { page });
        return answer?.items ?? [];
      },
      from: this.#bottom,
      rowsPerId: this.#rowsPerId,
      ...(place !== undefined && { guess: Math.floor(place / pageLength) + 1 }),
    });
    if (found === "no order") this.#isNewestFirst = false;
    else if (found === "not listed") for (const { descent } of this.#looking) descent.lacks(id);
    else {
      this.#searched = { page: found.page, id: found.rows.at(-1)?.id };
      for (const [index, row] of found.rows.entries()) this.#show(row, (found.page - 1) * pageLength + index);
    }
    this.#leave();
  }

  /** Takes the page that follows the ones before it. */
  follow(page: Page<Transaction>): void {
    const { items } = page;
    this.#requests++;
    this.#pages++;
    if (this.#head === undefined) {
      // Such a page would pass for an empty list, on which nothing was posted and nothing keeps a machine busy.
      if (items.length === 0 && page.skipped > 0) throw new Error("none of the rows of the panel's list has an id");
      this.#announce(page);
    }
    const before = this.#looking.length;
    let isUseful = false;
    for (const row of items) isUseful = this.#show(row, this.#rowsRead++) || isUseful;
    this.#oldest = items.at(-1)?.id ?? this.#oldest;
    const last = this.#isNewestFirst ? items.at(-1)?.id : undefined;
    for (const { descent } of this.#looking) descent.endPage(last);
    this.#leave();
    if (isUseful || this.#looking.length < before) this.#lastUsefulPage = this.#pages;
  }

  /** The list has no more rows. Who looked for a certain one has read down here in vain. */
  end(): void {
    this.#hasEnded = true;
    if (this.#head === undefined) this.#announce({ items: [], skipped: 0 });
    if (this.#looking.some(({ descent }) => descent.missing.size === 0)) this.#lastUsefulPage = this.#pages;
    for (const { descent } of this.#looking) descent.endList();
    this.#leave();
  }

  get walked(): Walked {
    const head = this.#head ?? this.#announce({ items: [], skipped: 0 });
    return {
      head,
      complete: this.#looking.length === 0,
      requests: this.#requests,
      pages: this.#pages,
      lastUsefulPage: this.#lastUsefulPage,
      places: { newest: this.#newest, of: this.#places },
    };
  }

  #announce({ items, panelTime }: Page<Transaction>): Head {
    const head: Head = {
      rows: items,
      readAt: this.#readAt,
      answeredAt: this.#options.clock.now(),
      wallTime: this.#wallTime,
      ...(panelTime !== undefined && { panelTime }),
    };
    this.#head = head;
    this.#newest = highest(items.map(({ id }) => id));
    this.#isNewestFirst = isNewestFirst(items);
    this.#options.onHead(head);
    return head;
  }

  /** Shows a row to everyone it may concern, and remembers the place of one that somebody wants. */
  #show(row: Transaction, position: number): boolean {
    let isWanted = false;
    for (const { descent, wants, found } of this.#looking) {
      if (!descent.meet(row) || !wants(row)) continue;
      found.set(row.id, row);
      isWanted = true;
    }
    if (isWanted) this.#places.set(row.id, position);
    return isWanted;
  }

  #leave(): void {
    this.#looking = this.#looking.filter(({ descent }) => !descent.reachedFloor);
  }

  /** A page that lies above all rows that are still missing. */
  get #bottom(): Edge {
    const read = { page: Math.floor(this.#rowsRead / pageLength), id: this.#oldest };
    return this.#searched !== undefined && this.#searched.page > read.page ? this.#searched : read;
  }

  /** How many rows lie above a row that the walk before has met; more by what has come since. */
  #placeOf(id: TransactionId): number | undefined {
    const { of, newest } = this.#options.before;
    const place = of.get(id);
    return place === undefined ? undefined : place + Math.round(distance(this.#newest, newest) * this.#rowsPerId);
  }

  /** How many rows there are for each number of the ids, as far as the walk has read. */
  get #rowsPerId(): number {
    const span = distance(this.#newest, this.#oldest);
    return span > 0 ? Math.min(1, (this.#rowsRead - 1) / span) : 1;
  }
}
