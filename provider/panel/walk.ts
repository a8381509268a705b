import type { AnsweredPage } from "./answers";
import { toPage } from "./decode";
import { CutShortError } from "./errors";
import { noErrors, notThisForm, pageOrNone, pageOrRefusal, type ReadPage, sameRows, notThisMuch } from "./list-page";
import {
  compareIds,
  type ListedRow,
  type Page,
  rowKey,
  type TransactionId,
  type TransactionPageRequest,
} from "./types";

/*
 * Requests for a list have three forms. Two are documented: `/per_page/n` gives the newest n rows, `/page/p` the p-th
 * ten rows. The third, `/page/p/per_page/n`, is not, and a panel may interpret it in any way. A walk begins with
 * `/per_page/n`, which means the same on every panel, so one page costs one request. To continue, the walk tries the
 * forms, best first, and remembers the one that works.
 */
const forms = ["numbered and sized", "sized", "numbered"] as const;

/** How this panel pages one of its lists, as far as the client has learned. */
interface PagingMemory {
  /** The first form that gave further rows. */
  form: (typeof forms)[number] | undefined;
  /** True once pages of `/page/p`, of ten rows or fewer, continued the rows above them. */
  numberedPagesFollow: boolean;
}

export function newPagingMemory(): PagingMemory {
  return { form: undefined, numberedPagesFollow: false };
}

/** The rows of a page requested by its number alone. */
export const panelPageRows = 10;

/** The state of one walk down a list. */
interface WalkState<Item extends ListedRow> {
  readonly read: ReadPage<Item>;
  readonly memory: PagingMemory;
  readonly rowsRead: RowsRead<Item>;
  /** The number of rows in the first answer, and the number requested. */
  readonly firstRows: number;
  readonly asked: number;
  readonly mostRows: number;
}

/** Further pages in one form. *end*: the list has no more rows. *other form*: this form leads no further. */
type PagesThenEnd<Item> = AsyncGenerator<Page<Item>, "end" | "other form">;

/**
 * Reads a list from its newest row down to its end. A short page is not an end: a panel may return fewer rows than requested. If no form leads
 * further, the walk fails, because its rows would pass for the whole list.
 */
export async function* walk<Item extends ListedRow>(
  read: ReadPage<Item>,
  { perPage, detailed }: { readonly perPage: number; readonly detailed?: boolean },
  memory: PagingMemory,
): AsyncGenerator<Page<Item>, void> {
  const first = await read({ perPage });
  const rowsRead = new RowsRead<Item>();
  yield toPage(first, rowsRead.take(first.items));
  // Rows without an id cannot be distinguished and are left out; the page says how many.
  if (first.items.length === 0) return;
  // The row limit of one request on panels without a second page: ten times the requested size, because pages of ten would cost ten times the
  // requests. A caller that asks for ten rows or fewer has a reason. Rows with their logs are large.
  const isSmall = perPage <= panelPageRows;
  const mostRows = isSmall ? perPage : Math.max(perPage, Math.min(10 * perPage, detailed === true ? 500 : 5_000));
  const list: WalkState<Item> = { read, memory, rowsRead, firstRows: first.rowCount, asked: perPage, mostRows };
  const readers = { "numbered and sized": readNumberedAndSized, sized: readSized, numbered: readNumbered };
  for (const form of forms.slice(forms.indexOf(memory.form ?? forms[0]))) {
    if ((yield* readers[form](list)) === "end") return;
  }
  throw new CutShortError(first.sent, rowsRead.length);
}

/**
 * After S rows, requests page 2 with a size of S − 1. A panel that honours both numbers begins its answer with the
 * last row read: a proof without an extra request. From there on, pages of one size follow each other. Later walks
 * use size S at once.
 */
async function* readNumberedAndSized<Item extends ListedRow>(list: WalkState<Item>): PagesThenEnd<Item> {
  const { read, memory, rowsRead, firstRows } = list;
  const isKnown = memory.form === "numbered and sized";
  const perPage = isKnown ? firstRows : firstRows - 1;
  // Pages as small as the panel's own come by their number alone.
  if (perPage < panelPageRows) return "other form";
  const second = await pageOrRefusal(read, { page: 2, perPage }, notThisForm);
  if (second === undefined || second.rowCount > perPage) return "other form";
  if (!isKnown && (!rowsRead.holdsOldest(second) || rowsRead.holdsNewest(second))) return "other form";
  return yield* readPages(list, { page: 2, perPage, there: second, follows: true }, () => {
    if (second.rowCount === perPage) memory.form ??= "numbered and sized";
  });
}

/**
 * Requests the newest rows, twice as many each time, until the answer is shorter than requested: the whole list, or
 * the panel's limit.
 */
async function* readSized<Item extends ListedRow>(list: WalkState<Item>): PagesThenEnd<Item> {
  const { read, memory, rowsRead, firstRows, mostRows } = list;
  let asked = Math.max(list.asked, rowsRead.length);
  for (let isShort = firstRows < list.asked; !isShort && asked < mostRows;) {
    asked = Math.min(asked * 2, mostRows);
    const answer = await pageOrRefusal(read, { perPage: asked }, notThisMuch);
    if (answer === undefined) break;
    isShort = answer.rowCount < asked;
    const newRows = rowsRead.take(answer.items);
    if (newRows.length === 0) continue;
    memory.form ??= "sized";
    yield toPage(answer, newRows);
  }
  return "other form";
}

/**
 * Reads pages of ten. The first page overlaps with the last row, which proves the order; once proven, reading begins after that row.
 */
async function* readNumbered<Item extends ListedRow>(list: WalkState<Item>): PagesThenEnd<Item> {
  const { read, memory, rowsRead } = list;
  const follows = memory.numberedPagesFollow;
  const page = follows ? Math.floor(rowsRead.length / panelPageRows) + 1 : Math.ceil(rowsRead.length / panelPageRows);
  const firstPage = await pageOrNone(read, { page });
  if (firstPage === undefined) return follows ? "end" : "other form";
  // Pages of any other size than ten follow each other if they are read from the first page on.
  const isBeyond = !rowsRead.holdsAny(firstPage) && (!follows || firstPage.rowCount > panelPageRows);
  return yield* readPages(list, isBeyond ? { page: 1, follows } : { page, there: firstPage, follows }, (rows) => {
    memory.numberedPagesFollow ||= rows <= panelPageRows;
    // A walk of few rows has not tried the other forms.
    if (list.asked > panelPageRows) memory.form ??= "numbered";
  });
}

/** This many consecutive answers may contain nothing new, because incoming rows push the list down. */
const mostFruitlessAnswers = 50;

/**
 * Reads numbered pages until the list ends. An empty page is the end. Some panels repeat their last page for all
 * further numbers, so two pages in a row with nothing new are the end too, if they are equal or end with the last row
 * read. A single such page is not an end: a page of new rows may just have arrived.
 */
async function* readPages<Item extends ListedRow>(
  { read, rowsRead }: WalkState<Item>,
  start: {
    readonly page: number;
    readonly perPage?: number;
    /** The first page, if it was read already. */
    readonly there?: AnsweredPage<Item>;
    /**
     * True if these pages are known to continue the rows above them. Otherwise an apparent end proves nothing until a
     * page has shown the last row read.
     */
    readonly follows: boolean;
  },
  onProgress: (rows: number) => void,
): PagesThenEnd<Item> {
  const { page: firstNumber, there, follows: isProven, ...size } = start;
  let [firstPage, follows] = [there, isProven];
  let before: Page<Item> | undefined;
  const ended = (): "end" | "other form" => (follows ? "end" : "other form");
  for (let page = firstNumber, fruitless = 0; fruitless <= mostFruitlessAnswers; page++) {
    const answer = firstPage ?? (await pageOrRefusal(read, { page, ...size }, size.perPage ? notThisForm : noErrors));
    // This page was read for its overlap with the rows above it, so it may bring nothing new.
    const isOverlap = firstPage !== undefined;
    firstPage = undefined;
    // In the documented form, a refusal can only mean a missing page; in others, it may mean the form.
    if (answer === undefined) return size.perPage === undefined ? ended() : "other form";
    if (answer.rowCount === 0) return ended();
    follows ||= rowsRead.holdsOldest(answer);
    const newRows = rowsRead.take(answer.items);
    if (newRows.length > 0) {
      [before, fruitless] = [undefined, 0];
      onProgress(answer.rowCount);
      yield toPage(answer, newRows);
      continue;
    }
    if (before && (sameRows(before, answer) || [before, answer].every((each) => rowsRead.isLastOf(each))))
      return ended();
    if (!isOverlap) before = answer;
    fruitless++;
  }
  return "other form";
}

/**
 * The rows a walk has given, from the newest to the oldest so far. A walk shows the list as of its beginning. Newer
 * rows push others down, so an answer may begin with rows already given; rows newer than the walk are left out.
 */
class RowsRead<Item extends ListedRow> {
  readonly #given = new Set<string>();
  #newest: string | undefined;
  #oldest: string | undefined;

  get length(): number {
    return this.#given.size;
  }

  holdsAny({ items }: Page<Item>): boolean {
    return items.some((row) => this.#given.has(rowKey(row)));
  }

  holdsNewest({ items }: Page<Item>): boolean {
    return items.some((row) => rowKey(row) === this.#newest);
  }

  holdsOldest({ items }: Page<Item>): boolean {
    return items.some((row) => rowKey(row) === this.#oldest);
  }

  isLastOf({ items }: Page<Item>): boolean {
    const last = items.at(-1);
    return last !== undefined && rowKey(last) === this.#oldest;
  }

  /** Returns the rows new to the walk, and counts them as given. */
  take(items: readonly Item[]): readonly Item[] {
    const keys = items.map(rowKey);
    const lastGiven = keys.findLastIndex((key) => this.#given.has(key));
    const isNew = (key: string, index: number): boolean =>
      !this.#given.has(key) && !this.#isNewer(key, index < lastGiven);
    const newRows = items.filter((_, index) => isNew(keys[index] ?? "", index));
    const newKeys = keys.filter(isNew);
    for (const key of newKeys) this.#given.add(key);
    this.#newest ??= newKeys[0];
    this.#oldest = newKeys.at(-1) ?? this.#oldest;
    return newRows;
  }

  /** If ids cannot be compared, a row above a row already returned counts as newer. */
  #isNewer(key: string, isAboveGiven: boolean): boolean {
    if (this.#newest === undefined) return false;
    const order = compareIds(key as TransactionId, this.#newest as TransactionId);
    return order === undefined ? isAboveGiven : order > 0;
  }
}

/**
 * Reads one page as a user asked for it. A page number alone and a page size alone are documented, and go out as they
 * are. For both together, the page is cut from the newest rows down to its end, which is right on every panel. A full
 * page of ten is the panel's own page.
 */
export async function requestedPage<Item extends ListedRow>(
  read: ReadPage<Item>,
  request: TransactionPageRequest,
  memory: PagingMemory,
): Promise<Page<Item>> {
  const { page, perPage } = request;
  if (page === undefined || perPage === undefined) {
    const answer = await read(request);
    return toPage(answer, answer.items.slice(0, perPage));
  }
  if (perPage === panelPageRows) {
    const answer = await read({ page });
    if (answer.rowCount === panelPageRows) return toPage(answer, answer.items);
  }
  const end = page * perPage;
  const atOnce = request.detailed === true ? 200 : 1_000;
  const newest = await collectNewest(walk(read, { ...request, perPage: Math.min(end, atOnce) }, memory), end);
  return { ...newest, items: newest.items.slice(end - perPage) };
}

/** Collects exactly the newest `limit` items of a walk, or all there are. Asks for no more pages than needed. */
export async function collectNewest<Item>(walk: AsyncIterable<Page<Item>>, limit: number): Promise<Page<Item>> {
  const items: Item[] = [];
  let skipped = 0;
  let panelTime: number | undefined;
  if (limit > 0) {
    for await (const page of walk) {
      items.push(...page.items);
      skipped += page.skipped;
      panelTime ??= page.panelTime;
      if (items.length >= limit) break;
    }
  }
  return { items: items.slice(0, limit), skipped, ...(panelTime === undefined ? {} : { panelTime }) };
}
