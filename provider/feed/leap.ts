import { compareIds } from "../panel/ids";
import type { Transaction, TransactionId } from "../panel/types";

export interface Terrain {
  /** Where the walk before this one met a row: how many rows lay above it. */
  readonly placeBefore: (id: TransactionId) => number | undefined;
  /** How many rows to expect in this time. */
  readonly rowsWithin: (ms: number) => number;
}

/** Where a walk stands when it has seen everything new and only known rows are still missing. */
export interface Standing {
  /** Rows that came since the walk before; undefined when that cannot be told. */
  readonly arrivals: number | undefined;
  /** How long this walk has taken so far. */
  readonly elapsedMs: number;
  /** Rows on a page of the walk, and how many rows it has read from the top. */
  readonly pageLength: number;
  readonly rowsRead: number;
  /** Awaited rows not met yet. */
  readonly missing: readonly TransactionId[];
}

export interface Leap {
  readonly id: TransactionId;
  readonly page: number;
}

/**
 * Pages of the panel's own default size are the only ones that every panel gives by their number at the cost of
 * one request.
 */
export const leapLength = 10;

/** Pages read in vain for one row before the walk goes on page by page. */
const mostMisses = 4;

/**
 * Goes straight to the pages where awaited rows must be by now: what was a row's place plus what has come above it.
 * On a busy panel a row of an hour ago lies hundreds of pages down. Wherever a guess proves wrong, the walk goes on
 * page by page as if there had been none.
 */
export class Leaps {
  readonly #terrain: Terrain;
  readonly #absent = new Set<TransactionId>();
  #worthwhile: boolean | undefined;
  #aim: Leap | undefined;
  /** The page that was found to lie above the row aimed at, and the one found to lie below it. */
  #above = 0;
  #below = 0;
  #misses = 0;

  constructor(terrain: Terrain) {
    this.#terrain = terrain;
  }

  /** The page to read next, or undefined to read the one that follows. */
  next(standing: Standing): Leap | undefined {
    this.#worthwhile ??= this.#savesRequests(standing);
    if (!this.#worthwhile) return undefined;
    const id = newest(standing.missing.filter((candidate) => !this.#absent.has(candidate)));
    if (id === undefined) return undefined;
    if (this.#aim?.id !== id) {
      this.#aim = { id, page: this.#guess(id, standing) };
      this.#above = 0;
      this.#below = 0;
      this.#misses = 0;
    }
    return this.#aim;
  }

  /** Judges the page that was read. False: it lies below the row it was read for, and must not be shown to anybody. */
  judge({ id, page }: Leap, rows: readonly Transaction[]): boolean {
    const [first, last] = [rows[0], rows.at(-1)];
    const isBelow = first === undefined || last === undefined || isNewer(id, first.id);
    if (!isBelow && !isNewer(last.id, id)) {
      if (!rows.some((row) => row.id === id)) this.#absent.add(id);
      return true;
    }
    if (isBelow) this.#below = page;
    else this.#above = page;
    if (this.#below === this.#above + 1) this.#absent.add(id);
    else if (++this.#misses >= mostMisses) this.#worthwhile = false;
    this.#aim = { id, page: Math.max(1, page + (isBelow ? -1 : 1)) };
    return !isBelow;
  }

  /** Whether going to the missing rows takes fewer requests than reading on to the lowest of them. */
  #savesRequests({ arrivals, pageLength, rowsRead, missing }: Standing): boolean {
    if (arrivals === undefined || pageLength === 0) return false;
    const pages = new Set<number>();
    let lowest = 0;
    for (const id of missing) {
      const place = this.#terrain.placeBefore(id);
      if (place === undefined) return false;
      lowest = Math.max(lowest, place + arrivals);
      pages.add(Math.floor((place + arrivals) / leapLength));
    }
    return pages.size + 1 < (lowest - rowsRead) / pageLength;
  }

  #guess(id: TransactionId, { arrivals = 0, elapsedMs }: Standing): number {
    const place = (this.#terrain.placeBefore(id) ?? 0) + arrivals + this.#terrain.rowsWithin(elapsedMs);
    return Math.floor(place / leapLength) + 1;
  }
}

function newest(ids: readonly TransactionId[]): TransactionId | undefined {
  return ids.reduce<TransactionId | undefined>(
    (highest, id) => (highest === undefined || isNewer(id, highest) ? id : highest),
    undefined,
  );
}

function isNewer(a: TransactionId, b: TransactionId): boolean {
  return (compareIds(a, b) ?? 0) > 0;
}
