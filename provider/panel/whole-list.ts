import type { AnsweredPage } from "./answers";
import { toPage } from "./decode";
import { meansNoSuchPage, panelError, PanelError } from "./errors";
import { noErrors, notThisForm } from "./list-page";
import type { Page, PageRequest } from "./types";
import { panelPageRows } from "./walk";

/** The way a request names its page: `/page/2`, or `?page=2`. */
export type PageForm = "path" | "query";

/** Reads one page; throws a PanelError. */
export type ReadPageIn<Item> = (page: PageRequest, form: PageForm) => Promise<AnsweredPage<Item>>;

/** More than a machine keeps; also the limit for a panel that always returns another page. */
const mostRows = 10_000;
const rowsAtOnce = 1_000;
/** A list may change while it is read. */
const mostReadings = 2;

/**
 * Reads the whole of a short list with undocumented order and paging. The panel may send it whole for every page, page it like the other lists,
 * or know no path with a page. Fails unless the list is known to be whole: a part would pass for all of it. `walk` serves the long lists, and
 * relies on newest first.
 */
export async function readWholeList<Item extends { readonly id: string }>(read: ReadPageIn<Item>): Promise<Page<Item>> {
  for (let readings = 1; ; readings++) {
    const { first, rows, doubt } = await new ListReading(read).readAll();
    if (doubt === undefined) return rows;
    if (!doubt.mayPass || readings === mostReadings) throw panelError("notWhole", first.sent, doubt.reason);
  }
}

/** Why the rows read may not be the whole list. */
interface Doubt {
  readonly reason: string;
  /** Another reading may not have it. */
  readonly mayPass: boolean;
}

const moved: Doubt = { reason: "its rows changed places while it was read", mayPass: true };
const nameless: Doubt = { reason: "a page of it has no row with an id", mayPass: false };
const endless: Doubt = { reason: `it continues after ${String(mostRows)} rows`, mayPass: false };
const unnumbered: Doubt = {
  reason: "the panel gives as many rows as it is asked for, from the first one on, and shows no further page",
  mayPass: false,
};

/** One reading of the list. */
class ListReading<Item extends { readonly id: string }> {
  readonly #rows = new Map<string, Item>();
  #last: string | undefined;
  #skipped = 0;
  readonly #totals = new Set<number>();

  constructor(private readonly read: ReadPageIn<Item>) {}

  async readAll(): Promise<{ readonly first: AnsweredPage<Item>; readonly rows: Page<Item>; readonly doubt?: Doubt }> {
    const numbered = await this.#page({ page: 1 }, "path", notThisForm);
    const first = numbered ?? (await this.#answer({}, "path"));
    this.#take(first);
    const doubt = (await this.#readBehind(first, numbered !== undefined)) ?? this.#doubtOfTotals();
    const rows = toPage({ ...first, skipped: this.#skipped }, [...this.#rows.values()]);
    return { first, rows, ...(doubt === undefined ? {} : { doubt }) };
  }

  async #readBehind(first: AnsweredPage<Item>, isNumbered: boolean): Promise<Doubt | undefined> {
    // Rows without ids cannot be distinguished.
    if (first.items.length === 0) return undefined;
    if (isNumbered) {
      const second = await this.#page({ page: 2 }, "path");
      if (second === undefined || second.rowCount === 0) return undefined;
      const isRepeated = second.items.length > 0 && this.#freshOf(second).length === 0;
      if (!isRepeated) return this.#readPages(second, { form: "path", size: first.rowCount });
    }
    // No panel returns fewer rows at once if it has more.
    if (first.rowCount < panelPageRows) return undefined;
    return this.#readBehindRepeated(first, isNumbered);
  }

  /**
   * Page 2 is page 1 again, or no path names a page. So the list ends there, or is always sent whole, or continues and the panel
   * ignores page numbers in this form. Pages of half the rows show which.
   */
  async #readBehindRepeated(first: AnsweredPage<Item>, isNumbered: boolean): Promise<Doubt | undefined> {
    const perPage = Math.floor(first.rowCount / 2);
    const half = isNumbered ? await this.#page({ perPage }, "path", notThisForm) : first;
    let ignoresSizes = half?.rowCount === first.rowCount;
    for (const form of ignoresSizes ? (["query"] as const) : (["path", "query"] as const)) {
      const second = await this.#page({ page: 2, perPage }, form, notThisForm);
      if (second === undefined || second.items.length === 0) continue;
      // Fewer rows than requested are this panel's maximum.
      const size = second.rowCount;
      if (second.items[0]?.id === first.items[size]?.id) return this.#readPages(second, { form, size, perPage });
      ignoresSizes &&= size === first.rowCount;
    }
    return ignoresSizes ? undefined : unnumbered;
  }

  /** Numbered pages of one size, from the second one on. A page after all rows read that contains nothing new is the end. */
  async #readPages(
    second: AnsweredPage<Item>,
    { form, size, perPage }: { readonly form: PageForm; readonly size: number; readonly perPage?: number },
  ): Promise<Doubt | undefined> {
    const sized = perPage === undefined ? {} : { perPage };
    let answer: AnsweredPage<Item> | undefined = second;
    let mayLeap = true;
    for (let page = 2; ; answer = await this.#page({ page, ...sized }, form)) {
      const isBehind = (page - 1) * size >= this.#rows.size + this.#skipped;
      const { items, rowCount } = answer ?? { items: [], rowCount: 0 };
      if (items.length === 0 && rowCount > 0) return nameless;
      const fresh = items.filter(({ id }) => !this.#rows.has(id)).length;
      if (isBehind && fresh === 0) return undefined;
      const follows = isBehind ? fresh === items.length : fresh === 0 || items.some(({ id }) => id === this.#last);
      if (answer === undefined || !follows) return moved;
      this.#take(answer);
      if (this.#rows.size > mostRows) return endless;
      page++;
      if (isBehind && mayLeap && rowCount === size) {
        mayLeap = false;
        // The page that holds the last of these rows.
        if (await this.#takeManyAtOnce(form)) page = Math.ceil(this.#rows.size / size);
      }
    }
  }

  /** Takes more rows than a page has, if the panel returns them and they begin with the rows read so far. */
  async #takeManyAtOnce(form: PageForm): Promise<boolean> {
    const many = await this.#page({ perPage: rowsAtOnce }, form, notThisForm);
    if (many === undefined || many.items.length <= this.#rows.size) return false;
    const isWhole = many.items.length === many.rowCount && this.#skipped === 0;
    if (!isWhole || [...this.#rows.keys()].some((id, index) => many.items[index]?.id !== id)) return false;
    this.#take(many);
    return true;
  }

  #doubtOfTotals(): Doubt | undefined {
    const shown = this.#rows.size + this.#skipped;
    const other = [...this.#totals].find((total) => total !== shown);
    if (other === undefined) return undefined;
    return { reason: `the panel announces ${String(other)} rows and shows ${String(shown)}`, mayPass: true };
  }

  #freshOf(page: Page<Item>): readonly Item[] {
    return page.items.filter(({ id }) => !this.#rows.has(id));
  }

  #take(page: Page<Item>): void {
    for (const item of this.#freshOf(page)) {
      this.#rows.set(item.id, item);
      this.#last = item.id;
    }
    this.#skipped += page.skipped;
  }

  /** The page, or undefined where the panel has none of this number, or answers this form with one of these errors. */
  async #page(request: PageRequest, form: PageForm, refusals = noErrors): Promise<AnsweredPage<Item> | undefined> {
    try {
      return await this.#answer(request, form);
    } catch (error) {
      if (error instanceof PanelError && (meansNoSuchPage(error) || refusals.has(error.kind))) return undefined;
      throw error;
    }
  }

  async #answer(request: PageRequest, form: PageForm): Promise<AnsweredPage<Item>> {
    const page = await this.read(request, form);
    if (page.total !== undefined) this.#totals.add(page.total);
    return page;
  }
}
