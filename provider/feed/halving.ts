import { compareIds, type TransactionId } from "../panel/types";

/** What one page tells about the row that is looked for. */
export type Finding = "here" | "look on" | "not listed" | "no order";

/** The ids of a numbered page, newest first; none when the list ends before it. */
export type PageIds = readonly TransactionId[];

/** A page that lies wholly above the row or wholly below it, the id nearest to the row, and the request that showed it. */
interface Edge {
  readonly page: number;
  readonly id: TransactionId | undefined;
  readonly request: number;
}

export interface Start {
  /** A page that does not reach down to the row, and the last id on it; or 0 and the first id of the list. */
  readonly page: number;
  readonly id: TransactionId;
  /** How many rows the list has for each number of its ids, where that is known: ids may have gaps. */
  readonly rowsPerId: number;
  /** The page on which the row is expected. */
  readonly guess?: number;
}

/** A list that has no order, or no end, costs this many requests and no more. */
const mostRequests = 64;
/**
 * Pages this far apart do not end with the same row, unless the last page is repeated for all that follow it. Rows that come in by the
 * hundred may look like that once, but not so many times in a row.
 */
const repeatsApart = 50;
const repeatsToBelieve = 2;
const longestStep = 100_000;
/** When the row must lie within so many pages, they are read one after the other. */
const fewPages = 4;

/**
 * Finds the numbered page that holds a row of a list with falling decimal ids. Each page is above the row or below it, so each request
 * narrows where it can be: a row 100,000 rows down takes a few requests where ids are dense, and never more than
 * a few times the logarithm of the pages.
 *
 * Rows that come in meanwhile push the row down, never up. So what was found to lie above it still does, what was found to lie below it
 * may not any more, and "not listed" takes a page below it that was read after the page right above.
 */
export class Halving {
  readonly id: TransactionId;
  readonly #rowsPerId: number;
  readonly #top: Edge;
  #above: Edge;
  #below: Edge | undefined;
  #guess: number | undefined;
  #requests = 0;
  #stretch = 1;
  #repeats = 0;
  #inOrder = true;

  constructor(id: TransactionId, { page, id: last, rowsPerId, guess }: Start) {
    this.id = id;
    this.#rowsPerId = rowsPerId;
    this.#top = { page, id: last, request: 0 };
    this.#above = this.#top;
    this.#guess = guess === undefined ? undefined : Math.max(page + 1, guess);
  }

  /** The page to read next. */
  get page(): number {
    if (this.#guess !== undefined) return this.#guess;
    const { page: above } = this.#above;
    if (this.#below === undefined) return above + this.#step();
    const { page: below } = this.#below;
    // Read downwards, what comes in between two requests cannot carry the row past them.
    if (below - above <= fewPages) return above + 1;
    // Where ids are dense their distance tells the place; where they are not, the middle is never far worse.
    const share = this.#requests % 2 === 0 ? 0.5 : this.#shareOfWay();
    return Math.min(Math.max(above + Math.round(share * (below - above)), above + 1), below - 1);
  }

  /** Takes the page that was asked for by `page`. */
  judge(page: number, ids: PageIds): Finding {
    this.#guess = undefined;
    this.#requests++;
    if (ids.includes(this.id)) return "here";
    const steps = ids.slice(1).map((id, index) => compareIds(id, ids[index] ?? id));
    const order = ids.map((id) => compareIds(id, this.id));
    if (order.includes(undefined) || this.#requests > mostRequests) return "no order";
    if (steps.some((step) => (step ?? 0) > 0)) this.#inOrder = false;

    const last = ids.at(-1);
    if (last === undefined || order.every((each) => (each ?? 0) < 0)) {
      this.#below = { page, id: ids[0], request: this.#requests };
    } else if (order.every((each) => (each ?? 0) > 0)) {
      // With a page below the row, the list has not ended above it: as many rows as a page has have come in meanwhile.
      const isRepeated = this.#below === undefined && this.#above.request > 0 && last === this.#above.id;
      const isFar = page - this.#above.page >= repeatsApart;
      if (!isRepeated) this.#repeats = 0;
      else if (isFar) this.#repeats++;
      if (this.#repeats > repeatsToBelieve) return this.#gone();
      this.#stretch = isRepeated ? repeatsApart : this.#stretch * 2;
      this.#above = { page, id: last, request: this.#requests };
      if (this.#below !== undefined && this.#below.page <= page) {
        this.#below = undefined;
        this.#stretch = 1;
      }
    } else {
      return this.#gone();
    }
    const { page: above, request } = this.#above;
    const isNext = this.#below !== undefined && this.#below.page <= above + 1;
    return isNext && (this.#below?.request ?? 0) > request ? this.#gone() : "look on";
  }

  /** Pages whose rows do not fall prove nothing: the row may be anywhere. */
  #gone(): "not listed" | "no order" {
    return this.#inOrder ? "not listed" : "no order";
  }

  /** Pages to go down while nothing is known to lie below the row: as many as the distance of the ids makes likely, and ever more. */
  #step(): number {
    const passed = distance(this.#top.id, this.#above.id);
    const rowsPerId = passed > 0 ? ((this.#above.page - this.#top.page) * pageLength) / passed : this.#rowsPerId;
    // Page 0 comes with the first row of page 1, not with the last row of a page: from there it is one row more.
    const rows = distance(this.#above.id, this.id) + (this.#above.page === 0 ? 1 : 0);
    const pages = Math.ceil((rows * Math.min(1, rowsPerId)) / pageLength);
    return Math.max(1, Math.min(Math.max(pages, this.#stretch), longestStep * this.#stretch));
  }

  #shareOfWay(): number {
    const whole = distance(this.#above.id, this.#below?.id);
    return whole > 0 ? distance(this.#above.id, this.id) / whole : 0.5;
  }
}

/** Rows on a page that is asked for by its number alone: the one form that every panel gives at the cost of one request. */
export const pageLength = 10;

/** How far apart two decimal ids are; 0 where that cannot be told. */
export function distance(newer: TransactionId | undefined, older: TransactionId | undefined): number {
  if (newer === undefined || older === undefined || compareIds(newer, older) === undefined) return 0;
  return Math.max(0, Number(BigInt(newer) - BigInt(older)));
}
