import { compareIds } from "../panel/ids";
import type { Transaction, TransactionId } from "../panel/types";

export interface Terrain {
  /** Where the walk before this one met a row: how many rows lay above it. */
  readonly placeBefore: (id: TransactionId) => number | undefined;
  /** How far each place may be wrong, because rows arrive while the list is read. */
  readonly slack: number;
}

/** Where a walk stands when it has seen everything new and only known rows are still missing. */
export interface Standing {
  /** Rows that came since the walk before; undefined when that cannot be told. */
  readonly arrivals: number | undefined;
  readonly pageLength: number;
  readonly pagesRead: number;
  /** Awaited rows not met yet. */
  readonly missing: Iterable<TransactionId>;
}

interface Target {
  readonly id: TransactionId;
  readonly page: number;
}

/** Pages read in vain for one row before the walk goes on page by page. */
const mostMisses = 3;

/**
 * Goes straight to the pages where awaited rows must be by now: what was a row's place plus what has come above it.
 * On a busy panel a row of an hour ago lies hundreds of pages down. Wherever a guess proves wrong, the walk goes on
 * page by page as if there had been none.
 */
export class Leaps {
  readonly #terrain: Terrain;
  readonly #absent = new Set<TransactionId>();
  #last: number | undefined;
  #misses = 0;
  #givenUp = false;

  constructor(terrain: Terrain) {
    this.#terrain = terrain;
  }

  /** The page to read next, or undefined to read the one that follows. */
  next({ arrivals, pageLength, pagesRead, missing }: Standing): Target | undefined {
    if (this.#givenUp || arrivals === undefined || pageLength === 0) return undefined;
    const id = newest(missing, this.#absent);
    const place = id === undefined ? undefined : this.#terrain.placeBefore(id);
    if (id === undefined || place === undefined) {
      this.#givenUp = true;
      return undefined;
    }
    const guess = Math.floor(Math.max(0, place + arrivals - this.#terrain.slack) / pageLength) + 1;
    const page = this.#last === undefined ? guess : Math.max(guess, this.#last + 1);
    if (this.#last === undefined && page <= pagesRead + 1) return undefined;
    return { id, page };
  }

  /** Judges the page that was read for a target. False: it lies below the target, and must not be shown to anybody. */
  judge({ id, page }: Target, rows: readonly Transaction[]): boolean {
    const [first, last] = [rows[0], rows.at(-1)];
    const follows = this.#last !== undefined && page === this.#last + 1;
    if (first === undefined || last === undefined || (isNewer(id, first.id) && !follows)) {
      this.#givenUp = true;
      return false;
    }
    this.#last = page;
    if (isNewer(last.id, id)) {
      this.#misses++;
      this.#givenUp = this.#misses >= mostMisses;
    } else {
      this.#misses = 0;
      if (!rows.some((row) => row.id === id)) this.#absent.add(id);
    }
    return true;
  }
}

function newest(ids: Iterable<TransactionId>, except: ReadonlySet<TransactionId>): TransactionId | undefined {
  let highest: TransactionId | undefined;
  for (const id of ids) {
    if (!except.has(id) && (highest === undefined || isNewer(id, highest))) highest = id;
  }
  return highest;
}

function isNewer(a: TransactionId, b: TransactionId): boolean {
  return (compareIds(a, b) ?? 0) > 0;
}
