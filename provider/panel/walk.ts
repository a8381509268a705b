import type { AnsweredPage } from "./answers";
import { toPage } from "./decode";
import { CutShortError } from "./errors";
import { noErrors, notThisForm, pageOrNone, pageOrRefusal, type ReadPage, sameRows, notThisMuch } from "./list-page";
import { compareIds, type Page, type TransactionId } from "./types";

/*
 * A list can be asked for in three forms. Two are specified: `/per_page/n` gives the newest n rows, `/page/p` the p-th ten rows. The
 * third, `/page/p/per_page/n`, is not: a panel may take it for anything. A walk begins with `/per_page/n`, which means the same on every
 * panel, so that one page costs one request. To go on, the forms are tried best first; the one that works is remembered.
 */
const forms = ["numbered and sized", "sized", "numbered"] as const;

/** What a client has learned of how this panel pages one of its lists. */
export interface PagingMemory {
  /** The first form that was seen to lead on. */
  form: (typeof forms)[number] | undefined;
  /** `/page/p` alone was seen to follow on the rows above it, with no more than ten. */
  numberedPagesFollow: boolean;
}

export function newPagingMemory(): PagingMemory {
  return { form: undefined, numberedPagesFollow: false };
}

/** Rows of a page that is asked for by its number alone. */
export const panelPageRows = 10;

/** A list as far as a walk has come down. */
interface WalkState<Item extends { readonly id: string }> {
  readonly read: ReadPage<Item>;
  readonly memory: PagingMemory;
  readonly rowsRead: RowsRead<Item>;
  /** Rows of the first answer, and how many it was asked for. */
  readonly firstRows: number;
  readonly asked: number;
  /** No request asks for more rows than this. */
  readonly mostRows: number;
}

/** Reads on in one form. *end*: the list has no more rows. *other form*: this one leads no further. */
type PagesThenEnd<Item> = AsyncGenerator<Page<Item>, "end" | "other form">;

/**
 * Reads a list from its newest row down to its end. A short page is no end: a panel may give fewer rows than were asked for. Where no form
 * leads on, the walk fails, because what it has given would pass for the whole list.
 */
export async function* walk<Item extends { readonly id: string }>(
  read: ReadPage<Item>,
  { perPage, detailed }: { readonly perPage: number; readonly detailed?: boolean },
  memory: PagingMemory,
): AsyncGenerator<Page<Item>, void> {
  const first = await read({ perPage });
  const rowsRead = new RowsRead<Item>();
  yield toPage(first, rowsRead.take(first.items));
  // Rows without an id cannot be told apart, and are left out: its reader is told how many these were.
  if (first.items.length === 0) return;
  const mostRows = maxRowsAtOnce(perPage, detailed);
  const list: WalkState<Item> = { read, memory, rowsRead, firstRows: first.rowCount, asked: perPage, mostRows };
  const readers = { "numbered and sized": readNumberedAndSized, sized: readSized, numbered: readNumbered };
  for (const form of forms.slice(forms.indexOf(memory.form ?? forms[0]))) {
    if ((yield* readers[form](list)) === "end") return;
  }
  throw new CutShortError(first.asked, rowsRead.length);
}

/**
 * After S rows, page 2 is asked for of one row fewer. A panel that honours both numbers begins its answer with the last row read: that
 * proves it, and costs no request. From there on pages of one size follow each other. Later walks ask for S rows at once.
 */
async function* readNumberedAndSized<Item extends { readonly id: string }>(list: WalkState<Item>): PagesThenEnd<Item> {
  const { read, memory, rowsRead, firstRows } = list;
  const isKnown = memory.form === "numbered and sized";
  const perPage = isKnown ? firstRows : firstRows - 1;
  // Pages as small as the panel's own can be had by their number alone.
  if (perPage < panelPageRows) return "other form";
  const second = await pageOrRefusal(read, { page: 2, perPage }, notThisForm);
  if (second === undefined || second.rowCount > perPage) return "other form";
  if (!isKnown && (!rowsRead.holdsOldest(second) || rowsRead.holdsNewest(second))) return "other form";
  return yield* readPages(list, { page: 2, perPage, there: second, follows: true }, () => {
    if (second.rowCount === perPage) memory.form ??= "numbered and sized";
  });
}

/** The newest rows, twice as many each time, until the answer is shorter than asked for: all there are, or the most this panel gives. */
async function* readSized<Item extends { readonly id: string }>(list: WalkState<Item>): PagesThenEnd<Item> {
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

/** Pages of ten. The first one read overlaps with the last row, which proves that they follow; once proven, it begins behind it. */
async function* readNumbered<Item extends { readonly id: string }>(list: WalkState<Item>): PagesThenEnd<Item> {
  const { read, memory, rowsRead } = list;
  const follows = memory.numberedPagesFollow;
  const page = follows ? Math.floor(rowsRead.length / panelPageRows) + 1 : Math.ceil(rowsRead.length / panelPageRows);
  const firstPage = await pageOrNone(read, { page });
  if (firstPage === undefined) return follows ? "end" : "other form";
  // Pages of another size than ten: from the first one on they follow each other in any case.
  const isBeyond = !rowsRead.holdsAny(firstPage) && (!follows || firstPage.rowCount > panelPageRows);
  return yield* readPages(list, isBeyond ? { page: 1, follows } : { page, there: firstPage, follows }, (rows) => {
    memory.numberedPagesFollow ||= rows <= panelPageRows;
    // Whoever asks for few rows has not tried the other forms.
    if (list.asked > panelPageRows) memory.form ??= "numbered";
  });
}

/** So many answers in a row may bring nothing, because rows that pour in push the list down. */
const mostFruitlessAnswers = 50;

/**
 * Numbered pages from one on, until the list ends. An empty page is the end. Some panels repeat their last page for all further numbers:
 * two pages in a row with nothing new are the end too, if they are equal or end with the last row read. One such page is none, because a
 * page of rows may just have come in.
 */
async function* readPages<Item extends { readonly id: string }>(
  { read, rowsRead }: WalkState<Item>,
  start: {
    readonly page: number;
    readonly perPage?: number;
    /** The first of them, where it has been read. */
    readonly there?: AnsweredPage<Item>;
    /** It is known that these pages continue the rows above them. Else what looks like an end proves nothing until one has shown the last row read. */
    readonly follows: boolean;
  },
  onProgress: (rows: number) => void,
): PagesThenEnd<Item> {
  let { there: firstPage, follows } = start;
  let before: Page<Item> | undefined;
  const size = start.perPage === undefined ? {} : { perPage: start.perPage };
  const ended = (): "end" | "other form" => (follows ? "end" : "other form");
  for (let page = start.page, fruitless = 0; fruitless <= mostFruitlessAnswers; page++) {
    const answer = firstPage ?? (await pageOrRefusal(read, { page, ...size }, start.perPage ? notThisForm : noErrors));
    // Read for the rows that it shares with those above it, it may well bring nothing new.
    const isOverlap = firstPage !== undefined;
    firstPage = undefined;
    // In the documented form a refusal can only mean that there is no such page; in others it may mean the form.
    if (answer === undefined) return start.perPage === undefined ? ended() : "other form";
    if (answer.rowCount === 0) return ended();
    follows ||= rowsRead.holdsOldest(answer);
    const newRows = rowsRead.take(answer.items);
    if (newRows.length > 0) {
      [before, fruitless] = [undefined, 0];
      onProgress(answer.rowCount);
      yield toPage(answer, newRows);
    } else {
      if (
        before !== undefined &&
        (sameRows(before, answer) || [before, answer].every((each) => rowsRead.isLastOf(each)))
      )
        return ended();
      if (!isOverlap) before = answer;
      fruitless++;
    }
  }
  return "other form";
}

/**
 * The rows a walk has given, from its newest (the head) to the oldest so far (the tail). A walk shows the list as it stood when it began: rows
 * that came since push others down, so an answer may begin with rows already given, and rows newer than the walk are left out.
 */
class RowsRead<Item extends { readonly id: string }> {
  readonly #given = new Set<string>();
  #newest: string | undefined;
  #oldest: string | undefined;

  get length(): number {
    return this.#given.size;
  }

  holdsAny({ items }: Page<Item>): boolean {
    return items.some(({ id }) => this.#given.has(id));
  }

  holdsNewest({ items }: Page<Item>): boolean {
    return items.some(({ id }) => id === this.#newest);
  }

  holdsOldest({ items }: Page<Item>): boolean {
    return items.some(({ id }) => id === this.#oldest);
  }

  isLastOf({ items }: Page<Item>): boolean {
    return items.at(-1)?.id === this.#oldest;
  }

  /** The rows that are new to the walk, which count as given from now on. */
  take(items: readonly Item[]): readonly Item[] {
    const lastGiven = items.findLastIndex(({ id }) => this.#given.has(id));
    const newRows = items.filter(({ id }, index) => !this.#given.has(id) && !this.#isNewer(id, index < lastGiven));
    for (const { id } of newRows) this.#given.add(id);
    this.#newest ??= newRows[0]?.id;
    this.#oldest = newRows.at(-1)?.id ?? this.#oldest;
    return newRows;
  }

  /** Where ids do not compare, what stands above a row already given counts as newer. */
  #isNewer(id: string, isAboveGiven: boolean): boolean {
    if (this.#newest === undefined) return false;
    const order = compareIds(id as TransactionId, this.#newest as TransactionId);
    return order === undefined ? isAboveGiven : order > 0;
  }
}

/**
 * The most rows a walk asks for at once where the panel gives no second page: ten times what was asked for, because by tens each row further down
 * would cost ten times the requests. Who asks for ten or fewer has reason to. Rows with their logs are large.
 */
function maxRowsAtOnce(perPage: number, detailed: boolean | undefined): number {
  if (perPage <= panelPageRows) return perPage;
  return Math.max(perPage, Math.min(10 * perPage, detailed === true ? 500 : 5_000));
}
