import type { Page, PanelClient, Transaction, TransactionId } from "../panel/types";
import type { Clock } from "../plain/clock";
import type { Descent } from "./floor";
import { pageLength } from "./halving";
import { readNumberedPage } from "./numbered-page";
import { Seeker, type Terrain, type WalkedSoFar } from "./seek";
import type { Head } from "./watching";

/** One watch's part in one walk. */
export interface Visitor {
  readonly descent: Descent;
  wants(row: Transaction): boolean;
  /** Takes a wanted row, newest first. */
  found(row: Transaction): void;
  /** A row at or above the floor that the watch does not want. */
  passed(row: Transaction): void;
}

export interface WalkOptions {
  readonly client: PanelClient;
  readonly clock: Clock;
  readonly perPage: number;
  /** Time for one page with all its tries. */
  readonly budgetMs: number;
  readonly maxPages: number;
  /** The same for a walk that ids are sure to end, which cannot be looking for what is not there. */
  readonly maxPagesInOrder: number;
  readonly signal: AbortSignal;
  readonly visitors: readonly Visitor[];
  /** The newest row of the walk before this one, to count what has come since. */
  readonly newestBefore: TransactionId | undefined;
  readonly terrain: Terrain;
  /** Called as soon as the newest page is there. */
  readonly onHead: (head: Head) => void;
}

export interface Walked {
  readonly head: Head;
  /** Every visitor got down to its floor or to the end of the list. */
  readonly complete: boolean;
  readonly endOfList: boolean;
  /** How many rows lie above each wanted row. */
  readonly positions: ReadonlyMap<TransactionId, number>;
  /** Rows above the newest row of the walk before; as many as were read when it was not met. */
  readonly arrivals: number;
}

/**
 * Reads the list newest first until every visitor has seen what it has to see: page by page as long as rows may be
 * new to somebody, then straight to the pages of rows that are awaited.
 */
export async function sharedWalk(options: WalkOptions): Promise<Walked> {
  const { client, budgetMs, signal, perPage } = options;
  const course = new Course(options);
  const seeker = new Seeker(options.terrain);
  const pages = client.walkTransactions({ perPage, budgetMs, signal })[Symbol.asyncIterator]();
  let endOfList = false;
  try {
    for (let read = 0; read < course.mostPages && !course.isOver; read++) {
      const readsOn = course.needsEveryRow && !seeker.isShowing;
      const page = readsOn ? undefined : seeker.next(course.soFar);
      if (page === undefined) {
        const next = await pages.next();
        endOfList = next.done === true;
        if (next.done === true) break;
        course.follow(next.value);
        continue;
      }
      const rows = await readNumberedPage(client, { page }, { budgetMs, signal });
      const landing = seeker.judge(page, rows);
      if (landing.kind === "not listed") course.lacks(landing.id);
      if (landing.kind === "show") course.land(page, rows, landing.whole);
    }
  } finally {
    await pages.return?.();
  }
  return course.end(endOfList);
}

/** How far a walk has come: what was read, who has seen enough, where the wanted rows are. */
class Course {
  readonly #options: WalkOptions;
  readonly #readAt: number;
  readonly #wallTime: Date;
  readonly #positions = new Map<TransactionId, number>();
  #head: Head | undefined;
  #rowsRead = 0;
  #oldest: TransactionId | undefined;
  /** Those who have not seen enough yet. What lies further down does not concern the others. */
  #looking: readonly Visitor[];
  #pagesRead = 0;
  #arrivals: number | undefined;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#readAt = options.clock.now();
    this.#wallTime = options.clock.wallTime();
    this.#looking = options.visitors;
  }

  get isOver(): boolean {
    return this.#pagesRead > 0 && this.#looking.length === 0;
  }

  get mostPages(): number {
    const isSureToEnd = this.#looking.every(({ descent }) => descent.endsByOrder);
    return isSureToEnd ? this.#options.maxPagesInOrder : this.#options.maxPages;
  }

  get needsEveryRow(): boolean {
    return this.#pagesRead === 0 || this.#looking.some(({ descent }) => descent.needsEveryRow);
  }

  get soFar(): WalkedSoFar {
    return {
      arrivals: this.#arrivals,
      elapsedMs: this.#options.clock.now() - this.#readAt,
      pageLength: this.#head?.rows.length ?? 0,
      rowsRead: this.#rowsRead,
      newest: this.#head?.rows[0]?.id,
      oldest: this.#oldest,
      missing: this.#looking.flatMap(({ descent }) => [...descent.missing]),
      around: new Set(this.#looking.flatMap(({ descent }) => [...descent.around])),
    };
  }

  /** Takes the page that follows the ones before it. */
  follow(page: Page<Transaction>): void {
    this.#pagesRead++;
    if (this.#head === undefined) {
      // Such a page would pass for an empty list, on which nothing was posted and nothing keeps a machine busy.
      if (page.items.length === 0 && page.skipped > 0)
        throw new Error("none of the rows of the panel's list has an id");
      this.#announce(page);
    }
    this.#startPage(page.items);
    for (const row of page.items) {
      if (row.id === this.#options.newestBefore) this.#arrivals = this.#rowsRead;
      this.#show(row, this.#rowsRead++);
    }
    this.#oldest = page.items.at(-1)?.id ?? this.#oldest;
    this.#endPage();
  }

  /** Takes a page that was gone to directly; with it, the rows around `whole` have been shown. */
  land(page: number, rows: readonly Transaction[], whole: readonly TransactionId[]): void {
    this.#startPage(rows);
    for (const [index, row] of rows.entries()) this.#show(row, (page - 1) * pageLength + index);
    for (const { descent } of this.#looking) descent.seenAround(whole);
    this.#endPage();
  }

  /** Takes it that the panel does not list this row. */
  lacks(id: TransactionId): void {
    for (const { descent } of this.#looking) descent.lacks(id);
    this.#leaveReached();
  }

  end(endOfList: boolean): Walked {
    const head = this.#head ?? this.#announce({ items: [], skipped: 0 });
    const complete = endOfList || this.isOver;
    const arrivals = this.#arrivals ?? this.#rowsRead;
    return { head, complete, endOfList, positions: this.#positions, arrivals };
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
    this.#options.onHead(head);
    return head;
  }

  /** Shows a row to everyone it may concern, and remembers the place of one that somebody wants. */
  #show(row: Transaction, position: number): void {
    for (const visitor of this.#looking) {
      if (!visitor.descent.meet(row)) continue;
      if (visitor.wants(row)) {
        visitor.found(row);
        this.#positions.set(row.id, position);
      } else {
        visitor.passed(row);
      }
    }
  }

  #startPage(rows: readonly Transaction[]): void {
    const last = rows.at(-1)?.id;
    for (const { descent } of this.#looking) descent.startPage(last);
  }

  #endPage(): void {
    for (const { descent } of this.#looking) descent.endPage();
    this.#leaveReached();
  }

  #leaveReached(): void {
    this.#looking = this.#looking.filter(({ descent }) => !descent.reached);
  }
}

/** A pause of this length between a tick and the request for a row's log is expected, and covered. */
const aheadMs = 2_000;
/** A few rows more than the average may come at any time. */
const spare = 2;

/** Where wanted rows lay in the last walks and how fast they move: just enough to find one of them again. */
export class Surroundings {
  #positions: ReadonlyMap<TransactionId, number> = new Map();
  #before: ReadonlyMap<TransactionId, number> = new Map();
  #readAt: number | undefined;
  #newest: TransactionId | undefined;
  #arrivalsPerMs = 0;

  get newest(): TransactionId | undefined {
    return this.#newest;
  }

  /** Rows whose places are remembered: never more than two walks have met. */
  get size(): number {
    return this.#positions.size + this.#before.size;
  }

  note({ head, positions, arrivals }: Walked): void {
    const elapsed = this.#readAt === undefined ? 0 : head.readAt - this.#readAt;
    if (this.#newest !== undefined && elapsed > 0) this.#arrivalsPerMs = arrivals / elapsed;
    this.#before = this.#positions;
    this.#positions = positions;
    this.#readAt = head.readAt;
    this.#newest = head.rows[0]?.id;
  }

  /** A row that is no longer waited for is remembered for one more walk: its log is asked for after its end was told. */
  positionOf(id: TransactionId): number | undefined {
    return this.#positions.get(id) ?? this.#before.get(id);
  }

  /** Where the last walk met a row, for walks that go straight to it. */
  lastPlaceOf(id: TransactionId): number | undefined {
    return this.#positions.get(id);
  }

  /** How many new rows to expect in this time. */
  rowsWithin(ms: number): number {
    return Math.round(this.#arrivalsPerMs * ms);
  }

  /** How many rows to read to come by every row that the last walk met. */
  depthAt(now: number): number {
    let deepest = 0;
    for (const position of this.#positions.values()) deepest = Math.max(deepest, position + 1);
    return deepest + this.driftAt(now);
  }

  driftAt(now: number): number {
    const elapsed = this.#readAt === undefined ? 0 : Math.max(0, now - this.#readAt);
    return spare + this.rowsWithin(elapsed + aheadMs);
  }
}
