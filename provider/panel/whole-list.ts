import type { AnsweredPage } from "./answers";
import { toPage } from "./decode";
import { meansNoSuchPage, panelError, PanelError, type PanelErrorKind } from "./errors";
import type { ListedPoint, Page, PageRequest } from "./types";
import { sameRows } from "./list-page";
import { panelPageRows } from "./walk";

/** How a request names its page: `/page/2`, or `?page=2`. */
type PageForm = "path" | "query";

export type ReadPageIn<Item> = (page: PageRequest, form: PageForm) => Promise<AnsweredPage<Item>>;

/** More recovery points than any machine has. Also limits what is read from a panel that always returns another page. */
const mostRows = 10_000;
const rowsAtOnce = 1_000;

/** Reads a short list, whatever its order. Fails unless the list is certainly complete, because a part would be mistaken for the whole. */
export async function readWholeList<Item extends ListedPoint>(read: ReadPageIn<Item>): Promise<Page<Item>> {
  const { first, rows, doubt } = await new ListReading(read).readAll();
  if (doubt !== undefined) throw panelError("notWhole", first.sent, doubt);
  return rows;
}

// Reasons why the rows that were read may not be the whole list.
const moved = "its rows moved while it was being read";
const nameless = "one of its pages has no row with an id";
const endless = `it continues beyond ${String(mostRows)} rows`;
const unnumbered = "the panel returns the requested number of rows, always from the first, and offers no next page";

/** Reads the list once: many rows in the first request, then the numbered page that contains the last of these rows, and every page after it. */
class ListReading<Item extends ListedPoint> {
  readonly #rows: Item[] = [];
  #skipped = 0;
  #form: PageForm = "path";
  readonly #totals = new Set<number>();

  constructor(private readonly read: ReadPageIn<Item>) {}

  async readAll(): Promise<{
    readonly first: AnsweredPage<Item>;
    readonly rows: Page<Item>;
    readonly doubt: string | undefined;
  }> {
    const first = await this.#first();
    this.#take(first);
    const doubt = (first.items.length === 0 ? undefined : await this.#readBehind(first)) ?? this.#doubtOfTotals();
    const rows = toPage({ ...first, skipped: this.#skipped }, this.#rows);
    return { first, rows, doubt };
  }

  /** Reads the first rows. Some panels do not support paths with a page. If rows are skipped, only a numbered page shows each row's position. */
  async #first(): Promise<AnsweredPage<Item>> {
    let first = await this.#page({ perPage: rowsAtOnce });
    if (first === undefined) {
      const plain = await this.#answer({});
      this.#form = "query";
      first = (plain.rowCount < panelPageRows ? undefined : await this.#page({ perPage: rowsAtOnce })) ?? plain;
    }
    return (first.skipped > 0 ? await this.#page({ page: 1 }) : undefined) ?? first;
  }

  async #readBehind(first: AnsweredPage<Item>): Promise<string | undefined> {
    const second = await this.#page({ page: 2 });
    if (second === undefined || second.rowCount === 0) return undefined;
    const place = this.#placeOf(second.items[0]);
    if (place === 0) return this.#doubtOfNumbers(first);
    const size = place === -1 ? first.rowCount : place;
    for (let page = Math.floor(first.rowCount / size) + 1; ; page++) {
      const answer = page === 2 ? second : await this.#page({ page });
      const known = this.#rows.slice(Math.max(0, (page - 1) * size - this.#skipped));
      if (answer === undefined || answer.rowCount === 0) return known.length === 0 ? undefined : moved;
      const { items, rowCount } = answer;
      if (items.length === 0) return nameless;
      // Some panels repeat their last page.
      if (known.length === 0 && sameRows(items, this.#rows.slice(-items.length))) return undefined;
      const fresh = items.slice(known.length);
      const follows = sameRows(items.slice(0, known.length), known) && fresh.every((row) => this.#placeOf(row) === -1);
      if (!follows) return moved;
      this.#take({ ...answer, items: fresh });
      if (rowCount < size) return undefined;
      if (this.#rows.length > mostRows) return endless;
    }
  }

  /** If page 2 repeats page 1, the panel sends the whole list, repeats its last page, or ignores page numbers. Requests for half as many rows show which. */
  async #doubtOfNumbers({ rowCount, items }: AnsweredPage<Item>): Promise<string | undefined> {
    // No panel returns fewer than ten rows at once if it has more.
    if (rowCount < panelPageRows) return undefined;
    const perPage = Math.floor(rowCount / 2);
    const half = await this.#page({ perPage });
    if (half?.rowCount === rowCount) return undefined;
    const second = await this.#page({ page: 2, perPage });
    return second?.items[0] !== undefined && second.items[0].id === items[perPage]?.id ? undefined : unnumbered;
  }

  #doubtOfTotals(): string | undefined {
    const shown = this.#rows.length + this.#skipped;
    const other = [...this.#totals].find((total) => total !== shown);
    return other === undefined ? undefined : `the panel reports ${String(other)} rows, but shows ${String(shown)}`;
  }

  #placeOf(row: Item | undefined): number {
    return this.#rows.findIndex(({ id }) => id === row?.id);
  }

  #take(page: Page<Item>): void {
    this.#rows.push(...page.items);
    this.#skipped += page.skipped;
  }

  /** The page, or undefined if the panel has no such page, or answers this form of request with something other than a list. */
  async #page(request: PageRequest): Promise<AnsweredPage<Item> | undefined> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof PanelError && (meansNoSuchPage(error) || notThisForm.includes(error.kind))) return undefined;
      throw error;
    }
  }

  async #answer(request: PageRequest): Promise<AnsweredPage<Item>> {
    const page = await this.read(request, this.#form);
    if (page.total !== undefined) this.#totals.add(page.total);
    return page;
  }
}

/** What a panel may answer to an undocumented form of request instead of a list. */
const notThisForm: readonly PanelErrorKind[] = ["redirect", "notThePanel", "unreadable"];
