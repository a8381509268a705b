import { PanelError, type UnusableListError } from "../panel/errors";
import { pageOrNone } from "../panel/list-page";
import type { PageRequest, PanelClient } from "../panel/types";
import type { Random } from "../plain/clock";
import {
  type Depth,
  idsBetween,
  inOrder,
  type ListOrder,
  longestPageFor,
  type Mark,
  markOf,
  orderOf,
  reachesIds,
  reachesMark,
  type Row,
  type ShownList,
} from "../rows/order";
import { Search } from "./search";
import type { WatchedClock } from "./watched-clock";

/** One read of the list, down to the lowest place that anybody asked for. Rows that were looked up further down are in none of its pages. */
export interface Read extends ShownList {
  /** Where the list is now. */
  readonly mark: Mark;
  readonly readAt: number;
  readonly answeredAt: number;
  readonly wallTime: Date;
  readonly panelTime: number | undefined;
}

export interface FeedAccess {
  readonly client: PanelClient;
  readonly clock: WatchedClock;
  readonly random: Random;
  readonly pageSize: number;
  readonly requestTimeoutMs: number;
  /** Called when the list can be read again. */
  readonly onRecovered?: (lastedMs: number) => void;
}

interface Ask {
  readonly depth: Depth;
  readonly by: number;
  readonly resolve: (read: Read) => void;
  readonly reject: (error: Error) => void;
}

/** The panel's default, which `/page/n` alone means. */
const pageLength = 10;
const longestPage = 1_000;
/** A row that is further down than this many ids is searched for. */
const farDown = longestPage;
/** A list is read no further than this many pages. */
const mostPages = 500;
/** Further down, no row that has ended is looked for. */
const mostMarkPages = 10;
/** A read that took longer ends with the newest page once more: on what is older, nothing is posted. */
const longReadMs = 1_000;
/** A list that could not be read for longer is worth a warning. */
const longOutageMs = 60_000;

/** One reader of the list for all restores of this process: everybody who waits gets the read that was requested for the earliest time. */
export class Feed {
  /** Set if the list cannot be paged: the number of rows that it shows. */
  rowsShown: number | undefined;
  /** Pages are the order until numbers are proven, and whenever a page shows that they are not. */
  #shown: ListOrder | undefined;
  /** Page sizes to ask for, best first. A size that the panel refuses is not asked for again. */
  readonly #sizes: (number | undefined)[];
  #isLongestRefused = false;
  readonly #asks = new Set<Ask>();
  readonly #search: Search;
  #cancel: () => void = () => undefined;
  #isReading = false;
  #failures = 0;
  #failingSince: number | undefined;
  /** The newest read. */
  latest: Read | undefined;
  /** How many rows the last read needed. */
  #rowsNeeded = 0;
  #isPagingKnown = false;
  /** How many rows `/page/n` shows. */
  #pageRows = pageLength;
  /** Whether a page 1 of fewer than ten rows is the whole list. */
  #isShortPageWhole: boolean | undefined;

  constructor(readonly access: FeedAccess) {
    this.#sizes = [...new Set([access.pageSize, 50, 20].filter((size) => size <= access.pageSize)), undefined];
    this.#search = new Search(pageLength, async (page) => (await this.#page({ page })).rows);
  }

  get #order(): ListOrder {
    return this.#shown ?? "pages";
  }

  /** A read that begins after this call, at the latest after `withinMs`. */
  read(depth: Depth, withinMs: number): Promise<Read> {
    const backOffMs =
      this.#failures === 0 ? 0 : Math.min(30_000, 1_000 * 2 ** this.#failures) * (1 - 0.5 * this.access.random());
    const by = this.access.clock.now() + Math.max(withinMs, backOffMs);
    return new Promise((resolve, reject) => {
      this.#asks.add({ depth, by, resolve, reject });
      this.#schedule();
    });
  }

  /** A read without which nothing can be done. One failed read means nothing, so it is repeated, for as long as one request may take. */
  async readSurely(depth: Depth): Promise<Read> {
    const { clock, random, requestTimeoutMs } = this.access;
    let until = Infinity;
    for (let withinMs = 50; ; withinMs = pauseMs(0, random)) {
      try {
        return await this.read(depth, withinMs);
      } catch (error) {
        if (isLasting(error) || clock.now() >= until) throw error;
        until = Math.min(until, clock.now() + requestTimeoutMs);
      }
    }
  }

  #schedule(): void {
    this.#cancel();
    if (this.#isReading || this.#asks.size === 0) return;
    const { clock } = this.access;
    const at = Math.min(...[...this.#asks].map(({ by }) => by));
    this.#cancel = clock.after(Math.max(0, at - clock.now()), () => void this.#readNow());
  }

  async #readNow(): Promise<void> {
    this.#isReading = true;
    const asks = [...this.#asks];
    this.#asks.clear();
    const { clock, onRecovered } = this.access;
    try {
      const read = await this.#readDown(asks.map(({ depth }) => depth));
      this.#failures = 0;
      if (this.#failingSince !== undefined && clock.now() - this.#failingSince > longOutageMs)
        onRecovered?.(clock.now() - this.#failingSince);
      this.#failingSince = undefined;
      this.latest = read;
      for (const { resolve } of asks) resolve(read);
    } catch (error) {
      this.#failures++;
      this.#failingSince ??= clock.now();
      for (const { reject } of asks) reject(error as Error);
    }
    this.#isReading = false;
    this.#schedule();
  }

  /**
   * `/per_page/n` and `/page/n` are documented alone, and mean the same on every panel: the first reads the top, the second continues in pages of ten.
   * Where pages are the order, the newest page must not be longer than a mark that is looked for.
   */
  async #readDown(depths: readonly Depth[]): Promise<Read> {
    const { clock, client } = this.access;
    const [readAt, wallTime] = [clock.now(), clock.wallTime()];
    const orders = [this.#order];
    const first = await this.#top(depths);
    let answeredAt = clock.now();
    orders.push(this.#order);
    const newestId = inOrder([first.rows], this.#order)[0]?.id ?? "";
    const isFar = (id: string): boolean => this.#order === "numbers" && (idsBetween(newestId, id) ?? 0) > farDown;
    const far = new Set(depths.flatMap(({ ids = [], around = [] }) => [...around, ...ids].filter(isFar)));
    const near = depths.map(({ mark, ids = [], around = [], rows = 0 }) => ({
      mark,
      rows,
      ids: ids.filter((id) => !far.has(id)),
      around: around.filter((id) => !far.has(id)),
    }));
    let pages: readonly (readonly Row[])[] = [first.rows];
    // A short page may be filtered, or contain a row twice, so page 2 is requested once.
    let isWhole = this.#isShortPageWhole !== false && first.rows.length < Math.min(pageLength, first.size);
    if (isWhole && this.#isShortPageWhole === undefined && first.rows.length > 0) {
      const second = (await this.#page({ page: 2 })).rows.filter(({ id }) => !first.rows.some((row) => row.id === id));
      this.#isShortPageWhole = second.length === 0;
      isWhole = this.#isShortPageWhole;
    }
    // A page of the requested size, or the whole list: neither reveals anything about paging.
    if (isWhole || (first.size > pageLength && first.rows.length >= first.size)) this.#isPagingKnown = true;
    let met = inOrder(pages, this.#order);
    const take = (page: readonly Row[], where: "above" | "below"): void => {
      pages = where === "above" ? [page, ...pages] : [...pages, page];
      // A page may have shown that numbers are not the order.
      met = inOrder(pages, this.#order);
    };
    const shown = (): ShownList => ({ pages, rows: met, order: this.#order, isWhole });
    const mark = (): Mark => markOf(shown(), client.address, first.panelTime);
    const isEnough = (): boolean =>
      isWhole ||
      (near.every(
        (depth) =>
          met.length >= depth.rows &&
          (depth.mark === undefined || reachesMark(shown(), depth.mark)) &&
          reachesIds(met, depth, this.#order),
      ) &&
        // The next read goes down to the mark of this one. Where so many rows have not ended, the end of the list is the mark.
        (pages.length > mostMarkPages || mark().ended.length > 0));
    if (!isEnough() && this.#order === "numbers" && first.size < longestPage && first.rows.length >= first.size) {
      // A panel may refuse that many rows at once. Then its pages of ten must do.
      const longest = await this.#longest();
      if (longest) take(longest, "above");
    }
    for (
      let page = Math.max(first.size < pageLength ? 1 : 2, Math.floor(met.length / this.#pageRows) + 1),
        last = page + mostPages,
        idle = 0;
      page < last;
      page++
    ) {
      if (isEnough() && this.#isPagingKnown) break;
      const before = met.length;
      const more = await this.#page({ page });
      // Pages of this panel are longer: the rows of the pages before it may not have been read.
      if (more.rows.length > this.#pageRows) {
        this.#pageRows = more.rows.length;
        page = Math.floor(first.rows.length / this.#pageRows);
        continue;
      }
      if (more.rows.length === 0) isWhole = true;
      else take(more.rows, "below");
      this.#learnPaging(first, more.rows);
      if (isWhole) break;
      // Rows shift while they are read: a page with nothing new is read once more from page 1, and proves nothing by itself.
      if (met.length > before) idle = 0;
      else if (++idle > 1) break;
      // The end may be right behind a short page.
      else if (more.rows.length >= this.#pageRows) {
        take((await this.#top(depths)).rows, "above");
        page--;
      }
    }
    // Numbers have turned out not to be the order: the newest page may have been too long.
    if (this.#order === "pages" && orders.includes("numbers")) return this.#readDown(depths);
    this.#rowsNeeded = near.every(({ mark, ids, around }) => mark === undefined && ids.length + around.length === 0)
      ? 0
      : met.length;
    const found: Row[] = [];
    for (const id of this.rowsShown === undefined ? far : []) {
      if (!found.some((row) => row.id === id)) found.push(...(await this.#search.around(id, newestId)));
    }
    if (clock.now() - answeredAt > longReadMs) {
      const top = await this.#top(depths);
      // Nothing was skipped in between.
      if (top.rows.some(({ id }) => met.some((row) => row.id === id))) answeredAt = clock.now();
      take(top.rows, "above");
    }
    const rows = inOrder([...pages, found], this.#order);
    const { panelTime } = first;
    return { ...shown(), rows, mark: mark(), readAt, answeredAt, wallTime, panelTime };
  }

  /** The newest page, at the length that the panel sends. */
  async #top(depths: readonly Depth[]): Promise<Top> {
    const longestForAll = Math.min(...depths.map(({ mark }) => longestPageFor(mark)));
    for (;;) {
      const mostRows = this.#order === "numbers" ? Infinity : longestForAll;
      const size = this.#sizes.find((one) => one === undefined || one <= mostRows);
      const isLonger = this.#order === "numbers" && size === this.access.pageSize && !this.#isLongestRefused;
      const perPage = isLonger ? Math.min(longestPage, Math.max(size, this.#rowsNeeded + pageLength)) : size;
      try {
        const { rows, panelTime } = await this.#page(perPage === undefined ? {} : { perPage });
        return { rows, panelTime, size: perPage ?? pageLength };
      } catch (error) {
        if (size === undefined || !(isRefusedSize(error) || (await this.#isSizeAtFault(error)))) throw error;
        if (perPage === size) this.#sizes.splice(this.#sizes.indexOf(size), 1);
        else this.#isLongestRefused = true;
      }
    }
  }

  /** A panel may fail on a size instead of refusing it: then the list can be read without one. */
  #isSizeAtFault(error: unknown): Promise<boolean> {
    if (!(error instanceof PanelError) || error.status !== 500) return Promise.resolve(false);
    return this.#page({}).then(
      () => true,
      () => false,
    );
  }

  async #longest(): Promise<readonly Row[] | undefined> {
    if (this.#isLongestRefused) return undefined;
    try {
      return (await this.#page({ perPage: longestPage })).rows;
    } catch {
      this.#isLongestRefused = true;
      return undefined;
    }
  }

  /** A page that shows the top once more, where the next rows should be: the list cannot be paged. */
  #learnPaging(top: Top, more: readonly Row[]): void {
    if (this.#isPagingKnown) return;
    this.#isPagingKnown = true;
    const shown = top.rows.slice(0, more.length).map(({ id }) => id);
    if (more.length > 0 && more.some(({ id }) => id === top.rows[0]?.id) && more.every(({ id }) => shown.includes(id)))
      this.rowsShown = top.rows.length;
  }

  async #page(request: {
    readonly page?: number;
    readonly perPage?: number;
  }): Promise<{ readonly rows: readonly Row[]; readonly panelTime: number | undefined }> {
    const { client, clock, requestTimeoutMs } = this.access;
    // A page further down may take three requests: each of them may be held up.
    const list = async (asked: PageRequest): ReturnType<PanelClient["listTransactions"]> => {
      const askedAt = clock.now();
      try {
        return await client.listTransactions(asked);
      } finally {
        clock.noteDelay(clock.now() - askedAt - requestTimeoutMs);
      }
    };
    const answer = await (request.page === undefined ? list(request) : pageOrNone(list, request));
    const rows = answer?.items.map(({ facts }) => facts) ?? [];
    if (this.#shown !== "pages") this.#shown = orderOf(rows) ?? this.#shown;
    return { rows, panelTime: answer?.panelTime };
  }
}

interface Top {
  readonly rows: readonly Row[];
  readonly panelTime: number | undefined;
  /** The rows that were asked for. */
  readonly size: number;
}

/** No later read would be any better. The client has asked three times before it gives up on a missing permission. */
export function isLasting(error: unknown): boolean {
  const { status, permanent } = error as Partial<PanelError & UnusableListError>;
  return status === 401 || status === 403 || permanent === true;
}

function isRefusedSize(error: unknown): boolean {
  return error instanceof PanelError && [400, 404, 405, 409, 413, 414, 422, 501].includes(error.status ?? 0);
}

export const longestPauseMs = 9_900;

/** As long as the wait so far, but between two and ten seconds. */
export function pauseMs(waitedMs: number, random: Random): number {
  return Math.max(2_000, Math.min(waitedMs, longestPauseMs)) * (1 - 0.02 * random());
}
