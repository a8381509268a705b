import { compareIds, type Transaction, type TransactionId } from "../panel/types";
import { distance, Halving, pageLength } from "./halving";

export interface Terrain {
  /** Where the walk before this one met a row: how many rows lay above it. */
  readonly placeBefore: (id: TransactionId) => number | undefined;
  /** How many rows to expect in this time. */
  readonly rowsWithin: (ms: number) => number;
}

/** Where a walk stands when it has seen everything new and only awaited rows are still missing. */
export interface WalkedSoFar {
  /** Rows that came since the walk before; undefined when that cannot be told. */
  readonly arrivals: number | undefined;
  /** How long this walk has taken so far. */
  readonly elapsedMs: number;
  /** Rows on a page of the walk, and how many rows it has read from the top. */
  readonly pageLength: number;
  readonly rowsRead: number;
  /** The first and the last of these rows. */
  readonly newest: TransactionId | undefined;
  readonly oldest: TransactionId | undefined;
  /** Awaited rows not met yet. */
  readonly missing: readonly TransactionId[];
  /** Those of them that are to be shown with the rows around them. */
  readonly around: ReadonlySet<TransactionId>;
}

/** What a page that was gone to is good for. */
export type Landing =
  /** It tells where to look next, and concerns nobody. */
  | { readonly kind: "signpost" }
  /** Its rows are to be shown. `whole`: with it, everything around an awaited row was shown. */
  | { readonly kind: "show"; readonly whole: readonly TransactionId[] }
  /** The panel does not list this row. */
  | { readonly kind: "not listed"; readonly id: TransactionId };

/** What finding a row takes whose place is not known, more or less. */
const requestsToFind = 5;

/**
 * Goes straight to the pages of awaited rows. A row that the walk before has met is expected where it was, further down by what has come
 * above it; any other is found by halving. Where the other rows of its chain are looked for, the pages around it are shown too. Where
 * ids do not compare, or reading on is cheaper, the walk goes on page by page.
 */
export class Seeker {
  readonly #terrain: Terrain;
  #worthwhile: boolean | undefined;
  #aim: Halving | undefined;
  /** The page that held the last row found, above all rows that are still missing. */
  #deepest: { readonly page: number; readonly id: TransactionId } | undefined;
  #wantedAround: ReadonlySet<TransactionId> = new Set();
  #around: { readonly ids: Set<TransactionId>; readonly pages: number[] } | undefined;

  constructor(terrain: Terrain) {
    this.#terrain = terrain;
  }

  /** Whether pages around a row that was found are still to be read. */
  get isShowing(): boolean {
    return this.#around !== undefined;
  }

  /** The numbered page to read next, or undefined to read the one that follows. */
  next(soFar: WalkedSoFar): number | undefined {
    this.#wantedAround = soFar.around;
    const page = this.#around?.pages[0];
    if (page !== undefined) return page;
    this.#worthwhile ??= this.#savesRequests(soFar);
    if (!this.#worthwhile) return undefined;
    const id = newest(soFar.missing);
    if (id === undefined || soFar.newest === undefined) return undefined;
    if (this.#aim?.id !== id) {
      const start = this.#deepest ?? { page: 0, id: soFar.newest };
      const guess = this.#guess(id, soFar);
      this.#aim = new Halving(id, { ...start, rowsPerId: rowsPerId(soFar), ...(guess !== undefined && { guess }) });
    }
    return this.#aim.page;
  }

  /** Judges the page that was read. */
  judge(page: number, rows: readonly Transaction[]): Landing {
    if (this.#around !== undefined) return this.#landAround(this.#around, page, rows);
    const aim = this.#aim;
    if (aim === undefined) return { kind: "signpost" };
    switch (
      aim.judge(
        page,
        rows.map(({ id }) => id),
      )
    ) {
      case "look on":
        return { kind: "signpost" };
      case "no order":
        this.#worthwhile = false;
        return { kind: "signpost" };
      case "not listed":
        return { kind: "not listed", id: aim.id };
      case "here": {
        this.#deepest = { page, id: aim.id };
        if (!this.#wantedAround.has(aim.id)) return { kind: "show", whole: [] };
        // From above to below: what comes in meanwhile pushes rows to the next page, not to the one before.
        this.#around = { ids: new Set(), pages: page === 1 ? [1, 2] : [page - 1, page, page + 1] };
        return { kind: "signpost" };
      }
    }
  }

  /** Each awaited row that turns up on these pages has others of its chain below it, perhaps on the page that follows. */
  #landAround(
    { ids, pages }: { readonly ids: Set<TransactionId>; readonly pages: number[] },
    page: number,
    rows: readonly Transaction[],
  ): Landing {
    pages.shift();
    const before = ids.size;
    for (const { id } of rows) if (this.#wantedAround.has(id)) ids.add(id);
    if (ids.size > before && pages.length === 0) pages.push(page + 1);
    if (pages.length > 0) return { kind: "show", whole: [] };
    this.#around = undefined;
    this.#aim = undefined;
    return { kind: "show", whole: [...ids] };
  }

  /** Whether going to the missing rows takes fewer requests than reading on to the lowest of them. */
  #savesRequests(soFar: WalkedSoFar): boolean {
    const { pageLength: rowsPerPage, rowsRead, oldest, missing } = soFar;
    if (rowsPerPage === 0 || oldest === undefined) return false;
    const pages = new Set<number>();
    const regions = new Set<number>();
    let lowest = 0;
    for (const id of missing) {
      if (compareIds(id, oldest) === undefined) return false;
      const known = this.#placeNow(id, soFar);
      const place = known ?? rowsRead + distance(oldest, id) * rowsPerId(soFar);
      lowest = Math.max(lowest, place);
      if (known === undefined) regions.add(Math.floor(place / (3 * pageLength)));
      else pages.add(Math.floor(place / pageLength));
    }
    return pages.size + regions.size * requestsToFind + 1 < (lowest - rowsRead) / rowsPerPage;
  }

  #placeNow(id: TransactionId, { arrivals }: WalkedSoFar): number | undefined {
    const before = this.#terrain.placeBefore(id);
    return before === undefined || arrivals === undefined ? undefined : before + arrivals;
  }

  #guess(id: TransactionId, soFar: WalkedSoFar): number | undefined {
    const place = this.#placeNow(id, soFar);
    if (place === undefined) return undefined;
    return Math.floor((place + this.#terrain.rowsWithin(soFar.elapsedMs)) / pageLength) + 1;
  }
}

/** How many rows there are for each number of the ids, as far as the walk has read. */
function rowsPerId({ newest, oldest, rowsRead }: WalkedSoFar): number {
  const span = distance(newest, oldest);
  return span > 0 ? Math.min(1, (rowsRead - 1) / span) : 1;
}

function newest(ids: readonly TransactionId[]): TransactionId | undefined {
  return ids.reduce<TransactionId | undefined>(
    (highest, id) => (highest === undefined || (compareIds(id, highest) ?? 0) > 0 ? id : highest),
    undefined,
  );
}
