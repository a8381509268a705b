import { idsBetween, inOrder, type Row } from "../rows/order";

/** Where a row was, and the newest row's id at that time. Rows only move down, by at most one row for each new id. */
interface Place {
  readonly page: number;
  readonly newestId: string;
}

/** Uses bisection to find rows that are too far down to be read page by page. Works only if ids are in numerical order. */
export class Search {
  readonly #places = new Map<string, Place>();

  constructor(
    private readonly pageLength: number,
    private readonly read: (page: number) => Promise<readonly Row[]>,
  ) {}

  /** The rows on the page that contains a row, and on the pages right above and below, where other rows of its job may be. Empty if the row is not listed. */
  async around(id: string, newestId: string): Promise<readonly Row[]> {
    const known = this.#places.get(id);
    const mostPages = (thenNewest: string): number => Math.ceil(idsBetween(newestId, thenNewest) / this.pageLength) + 1;
    const page =
      (known && (await this.#find(id, known.page, mostPages(known.newestId)))) ??
      (await this.#find(id, 1, mostPages(id)));
    if (page === undefined) return [];
    this.#places.set(id, { page, newestId });
    const rows: Row[] = [];
    // Rows move down while pages are read, so reading from the top down misses no row between two pages.
    for (let at = Math.max(1, page - 1); at <= page + 1; at++) rows.push(...(await this.read(at)));
    return rows;
  }

  /** Goes down from page `from` in growing steps, then bisects. Ids may have gaps, so a row is rarely as far down as its id suggests. */
  async #find(id: string, from: number, mostPages: number): Promise<number | undefined> {
    let [low, high, step] = [from, from + mostPages, 8];
    while (low <= high) {
      const isStep = step > 0 && step < high - low;
      const page = isStep ? low + step : Math.floor((low + high) / 2);
      step = isStep ? 4 * step : 0;
      const rows = inOrder([await this.read(page)], "numbers");
      if (rows.some((row) => row.id === id)) return page;
      const [first, last] = [rows[0], rows.at(-1)];
      if (first === undefined || last === undefined) high = page - 1;
      else if (idsBetween(last.id, id) > 0) low = page + 1;
      else if (idsBetween(first.id, id) < 0) high = page - 1;
      else return undefined;
    }
    // A new row may have moved it down by one page in the meantime.
    return low > from ? low : undefined;
  }
}
