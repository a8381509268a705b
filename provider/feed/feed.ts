import type { PanelError } from "../panel/errors";
import { pageOrNone, sizeRefusals } from "../panel/list-page";
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
  reachesDepth,
  type Row,
  type ShownList,
} from "../rows/order";
import { Search } from "./search";
import type { WatchedClock } from "../plain/watched-clock";

/** One read of the list, down to the lowest requested position. Rows that a search found further down are in `rows`, but not in `pages`. */
export interface Read extends ShownList {
  /** The top of the list at the time of the read. */
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
}

interface Ask {
  readonly depth: Depth;
  readonly by: number;
  readonly resolve: (read: Read) => void;
  readonly reject: (error: Error) => void;
}

/** The panel's default page length, which applies to `/page/n` without a size. */
const pageLength = 10;
const longestPage = 1_000;
/** A row that is further down than this many ids is searched for by bisection instead of page by page. */
const farDown = longestPage;
/** A list is never read further down than this many pages. */
const mostPages = 500;
const mostMarkPages = 10;
/** If a read takes longer than this, the newest page is read again, because nothing is posted on the basis of an old page. */
const longReadMs = 1_000;

/** The only reader of the list in this process. Waiting restores share each read, which begins at the earliest time that any of them requested. */
export class Feed {
  /** The number of rows that the list shows. Set only if the list cannot be paged. */
  rowsShown: number | undefined;
  /** The order of the list; undefined means "pages". It becomes "numbers" once that order is proven, and "pages" for good once a page contradicts it. */
  #shown: ListOrder | undefined;
  /** The largest number of rows that the panel can return on a page. */
  #mostRows = Infinity;
  /** The page sizes that have failed since the panel last returned a page of a requested size. */
  readonly #failedSizes = new Set<number>();
  readonly #asks = new Set<Ask>();
  readonly #search: Search;
  #cancel: () => void = () => undefined;
  #isReading = false;
  #failedReads = 0;
  latest: Read | undefined;
  /** How many rows the last read needed. */
  #rowsNeeded = 0;
  #isPagingKnown = false;
  /** How many rows `/page/n` shows. */
  #pageRows = pageLength;
  /** Whether a first page of fewer than ten rows is the whole list. */
  #isShortPageWhole: boolean | undefined;

  constructor(readonly access: FeedAccess) {
    this.#search = new Search(pageLength, async (page) => (await this.#page({ page })).rows);
  }

  get #order(): ListOrder {
    return this.#shown ?? "pages";
  }

  /** Returns a read that begins after this call, within `withinMs`, or later if reads have been failing. */
  read(depth: Depth, withinMs: number): Promise<Read> {
    const { clock, random } = this.access;
    const backOffMs =
      this.#failedReads > 0 ? Math.min(30_000, 1_000 * 2 ** this.#failedReads) * (1 - 0.5 * random()) : 0;
    const by = clock.now() + Math.max(withinMs, backOffMs);
    return new Promise((resolve, reject) => {
      this.#asks.add({ depth, by, resolve, reject });
      this.#schedule();
    });
  }

  /** Reads until a read succeeds, because one failed read proves nothing. Gives up once reads have failed for as long as one request may take. */
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
    try {
      const read = await this.#readDown(asks.map(({ depth }) => depth));
      this.#failedReads = 0;
      this.latest = read;
      for (const { resolve } of asks) resolve(read);
    } catch (error) {
      this.#failedReads++;
      for (const { reject } of asks) reject(error as Error);
    }
    this.#isReading = false;
    this.#schedule();
  }

  /** Reads the top with `/per_page/n`, then pages of ten with `/page/n`. The two are never combined, because the API does not document a combination. */
  async #readDown(depths: readonly Depth[]): Promise<Read> {
    const { clock } = this.access;
    const [readAt, wallTime, orderBefore] = [clock.now(), clock.wallTime(), this.#order];
    const first = await this.#top(depths);
    const [firstAt, orderOfFirst] = [clock.now(), this.#order];
    const newestId = inOrder([first.rows], this.#order)[0]?.id ?? "";
    const isFar = (id: string): boolean => this.#order === "numbers" && idsBetween(newestId, id) > farDown;
    const far = new Set(depths.flatMap(({ ids = [], around = [] }) => [...around, ...ids].filter(isFar)));
    const near = depths.map(({ ids = [], around = [], ...depth }): Depth => {
      const nearOf = (of: readonly string[]): readonly string[] => of.filter((id) => !far.has(id));
      return { ...depth, ids: nearOf(ids), around: nearOf(around) };
    });
    const down = await this.#walk(first, near, () => this.#top(depths));
    const isNeeded = near.some(
      ({ mark, ids = [], around = [] }) => mark !== undefined || ids.length + around.length > 0,
    );
    // If one page was enough, it need not be longer the next time.
    if (!isNeeded || down.pages.length > 1) this.#rowsNeeded = isNeeded ? down.rows.length : 0;
    const found: Row[] = [];
    for (const id of this.rowsShown === undefined ? far : [])
      if (!found.some((row) => row.id === id)) found.push(...(await this.#search.around(id, newestId)));
    const last = clock.now() - firstAt > longReadMs ? await this.#top(depths) : undefined;
    // The ids have turned out not to be in numerical order. The newest page may have been longer than the marks allow, so the list is read again.
    if (this.#order === "pages" && [orderBefore, orderOfFirst].includes("numbers")) return this.#readDown(depths);
    const shown = last ? this.#met([last.rows, ...down.pages], down.isWhole) : down;
    // If the two reads overlap, nothing was skipped in between.
    const isLinked = last?.rows.some(({ id }) => down.rows.some((row) => row.id === id)) === true;
    return {
      ...shown,
      rows: inOrder([...shown.pages, found], shown.order),
      mark: this.#markOf(shown, first),
      ...{ readAt, wallTime, answeredAt: isLinked ? clock.now() : firstAt, panelTime: first.panelTime },
    };
  }

  /** Reads page by page, down to everything that was requested, or to the end of the list. */
  async #walk(top: Top, depths: readonly Depth[], again: () => Promise<Top>): Promise<ShownList> {
    let first = top;
    const isEnough = (shown: ShownList, wanted: Depth = {}): boolean =>
      shown.isWhole ||
      (depths.every((depth) => reachesDepth(shown, { ...depth, ...wanted })) &&
        // The next read goes down to this read's mark, and a mark needs ended rows. If too many pages have none, the end of the list serves as the mark.
        (shown.pages.length > mostMarkPages || this.#markOf(shown, first).ended.length > 0));
    let shown = this.#met([first.rows], await this.#isAll(first));
    // If the page has as many rows as were requested, or is the whole list, paging does not need to be tested.
    this.#isPagingKnown ||= shown.isWhole || (first.size > pageLength && first.rows.length >= first.size);
    if (!isEnough(shown) && shown.order === "numbers" && first.size < longestPage && first.rows.length >= first.size) {
      this.#rowsNeeded = longestPage;
      first = await again();
      shown = this.#met([first.rows, ...shown.pages]);
    }
    const from = Math.max(first.size < pageLength ? 1 : 2, Math.floor(shown.rows.length / this.#pageRows) + 1);
    for (let page = from, idle = 0; page < from + mostPages; page++) {
      if (isEnough(shown) && this.#isPagingKnown) break;
      // After only one full page, a job that keeps the machine busy may still be on the next.
      const rows = await this.#pageUnless(() => page > 2 && isEnough(shown, { rows: 0 }), page);
      if (rows === undefined) break;
      // This panel's pages are longer than assumed, so some rows on earlier pages may not have been read.
      if (rows.length > this.#pageRows) {
        this.#pageRows = rows.length;
        page = Math.floor(first.rows.length / rows.length);
        continue;
      }
      this.#learnPaging(first, rows);
      if (rows.length === 0) return this.#met(shown.pages, true);
      const before = shown.rows.length;
      shown = this.#met([...shown.pages, rows]);
      // Rows shift during the read, so after a page with nothing new, page 1 and the same page are read once more before the walk ends.
      if (shown.rows.length > before) idle = 0;
      else if (++idle > 1) break;
      // Nothing is read again after a short page, which may be the last page. The next page shows whether it is.
      else if (rows.length >= this.#pageRows) {
        shown = this.#met([(await again()).rows, ...shown.pages]);
        page--;
      }
    }
    return shown;
  }

  #met(pages: ShownList["pages"], isWhole = false): ShownList {
    return { pages, rows: inOrder(pages, this.#order), order: this.#order, isWhole };
  }

  #markOf = (shown: ShownList, { panelTime }: Top): Mark => markOf(shown, this.access.client.address, panelTime);

  /** A short first page may be filtered, or may contain a row twice, so page 2 is requested once to find out whether the first page is the whole list. */
  async #isAll({ rows, size }: Top): Promise<boolean> {
    if (rows.length >= Math.min(pageLength, size)) return false;
    if (rows.length === 0) return this.#isShortPageWhole !== false;
    const isShown = ({ id }: Row): boolean => rows.some((row) => row.id === id);
    this.#isShortPageWhole ??= (await this.#pageUnless(() => true, 2))?.every(isShown) ?? true;
    return this.#isShortPageWhole;
  }

  /** Undefined if the other pages are enough and the panel answers with something other than a list, as it may past the end of its list. */
  async #pageUnless(isEnough: () => boolean, page: number): Promise<readonly Row[] | undefined> {
    try {
      return (await this.#page({ page })).rows;
    } catch (error) {
      const { status = 0 } = error as Partial<PanelError>;
      if (status < 200 || status >= 400 || !isEnough()) throw error;
      this.#isPagingKnown = true;
      return undefined;
    }
  }

  /** Reads the newest page. Unless ids are in numerical order, the page is no longer than the marks in use allow. */
  async #top(depths: readonly Depth[]): Promise<Top> {
    const { pageSize } = this.access;
    const longest = Math.max(pageLength, Math.min(...depths.map(({ mark }) => longestPageFor(mark))));
    const isByNumber = this.#order === "numbers";
    const usual = isByNumber ? pageSize : Math.min(pageSize, longest);
    const most = isByNumber ? Math.min(longestPage, Math.max(usual, this.#rowsNeeded + pageLength)) : usual;
    const read = async ([size, ...smaller]: readonly number[]): Promise<Top> => {
      try {
        const page = await this.#page(size === undefined ? {} : { perPage: size });
        if (size !== undefined) this.#failedSizes.clear();
        return { ...page, size: size ?? pageLength };
      } catch (error) {
        const { status = 0 } = error as Partial<PanelError>;
        if (size === undefined || (size <= usual && !sizeRefusals.includes(status))) throw error;
        const top = await read(smaller);
        // A panel may fail on a size instead of refusing it, but a size that has failed only once may have failed for another reason.
        if ([400, 404, 422].includes(status) || this.#failedSizes.has(size))
          this.#mostRows = Math.min(this.#mostRows, smaller[0] ?? 0);
        this.#failedSizes.add(size);
        return top;
      }
    };
    // If the usual size has just failed, no larger size is requested.
    const sizes = this.#failedSizes.has(usual) ? [usual] : [...new Set([most, usual])];
    return read(sizes.filter((size) => size <= this.#mostRows));
  }

  /** Notices if the list cannot be paged: a later page then repeats the top instead of showing the next rows. */
  #learnPaging(top: Top, more: readonly Row[]): void {
    if (this.#isPagingKnown) return;
    this.#isPagingKnown = true;
    const shown = top.rows.slice(0, more.length).map(({ id }) => id);
    if (more.length > 0 && more.some(({ id }) => id === top.rows[0]?.id) && more.every(({ id }) => shown.includes(id)))
      this.rowsShown = top.rows.length;
  }

  async #page(request: { readonly page?: number; readonly perPage?: number }): Promise<Omit<Top, "size">> {
    const { client, clock, requestTimeoutMs } = this.access;
    // Notes the delay of each request separately, because reading a later page may take three requests.
    const list = async (asked: PageRequest): ReturnType<PanelClient["listTransactions"]> => {
      const askedAt = clock.now();
      try {
        return await client.listTransactions(asked, { isExact: true });
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
  /** The number of rows that were requested. */
  readonly size: number;
}

/** Whether later reads would fail too. The client tries three times before it reports a missing permission. */
export function isLasting(error: unknown): boolean {
  const { status, kind } = error as Partial<PanelError>;
  return status === 401 || status === 403 || kind === "unusable";
}

export const longestPauseMs = 9_900;

/** A pause as long as the wait so far, but between two and ten seconds. */
export function pauseMs(waitedMs: number, random: Random): number {
  return Math.max(2_000, Math.min(waitedMs, longestPauseMs)) * (1 - 0.02 * random());
}
