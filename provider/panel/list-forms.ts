import type { AnsweredPage } from "./answers";
import { type DecodedPage, handedOut } from "./decode";
import { PanelError, type PanelErrorKind } from "./errors";
import { compareIds, type Page, type PageRequest, type TransactionId } from "./types";

/**
 * What an answer means to somebody who reads down a list:
 * - *more*: it holds the rows that come next.
 * - *end*: the row read last is the last one there is.
 * - *end again*: the same, said by giving the last page once more.
 * - *elsewhere*: it holds another part of the list than was asked for.
 * - *unclear*: it brings nothing new, which may be because rows that came in meanwhile pushed the list down.
 * - *stuck*: nothing new for too many answers in a row.
 */
export type Meaning = "more" | "end" | "end again" | "elsewhere" | "unclear" | "stuck";

/** What the walk does after an answer. *no way on*: the list may go on, and this panel does not let anybody read there. */
export type Next = "same form" | "other form" | "end" | "no way on";

export interface Step<Item> {
  readonly next: Next;
  /** Rows to give to whoever walks. */
  readonly page?: Page<Item>;
}

export type Answer<Item> = AnsweredPage<Item> | "refused";

/** One form of path that the panel may understand, as a walk uses it: how it asks, and what an answer tells. */
export interface WalkForm<Item> {
  /** The next request; undefined when this form has nothing left to ask. */
  ask(): PageRequest | undefined;
  /** Whether an error means that the panel does not answer this request; any other one ends the walk. */
  readonly isRefusal: (error: PanelError) => boolean;
  tell(answer: Answer<Item>): Step<Item>;
}

/** A list as far as a walk has come down. */
export interface ListSoFar<Item extends { readonly id: string }> {
  readonly memory: PagingMemory;
  readonly trail: Trail<Item>;
  /** The first answer, and how many rows it was asked for. */
  readonly first: AnsweredPage<Item>;
  readonly asked: number;
  /** No request asks for more rows than this. */
  readonly mostRows: number;
  /** Rows from the top of the list that have been read. */
  covered: number;
  /** How many rows `/per_page/n` gave when it gave fewer than asked for: all there are, or all it ever gives. */
  shortAt: number | undefined;
}

/** One page by its number and size in a form that the panel may understand; undefined where the answer does not show that it is that page. */
export type PageForm = <Item extends { readonly id: string }>(
  read: ReadPage<Item>,
  request: Required<PageRequest>,
  memory: PagingMemory,
) => Promise<Page<Item> | undefined>;

/** The step with those rows of an answer that are new to the walk. */
export function stepWith<Item>(next: Next, answer: Page<Item>, fresh: readonly Item[]): Step<Item> {
  return fresh.length > 0 ? { next, page: handedOut(answer, fresh) } : { next };
}

/**
 * `/per_page/n` alone gives the newest n rows on every panel. To go on, n is doubled each time, until an answer is
 * shorter than asked for. That is the end of the list, or the most rows that this panel gives at once; pages by their
 * number alone tell which.
 */
export class Sized<Item extends { readonly id: string }> implements WalkForm<Item> {
  readonly isRefusal = isTooMuchAtOnce;
  readonly #list: ListSoFar<Item>;
  #asked: number;

  constructor(list: ListSoFar<Item>) {
    this.#list = list;
    this.#asked = Math.max(list.asked, list.covered);
  }

  ask(): PageRequest | undefined {
    const { shortAt, mostRows, memory } = this.#list;
    if (shortAt !== undefined || this.#asked >= Math.min(mostRows, memory.cap ?? Infinity)) return undefined;
    this.#asked = Math.min(this.#asked * 2, mostRows);
    return { perPage: this.#asked };
  }

  tell(answer: Answer<Item>): Step<Item> {
    if (answer === "refused") return { next: "other form" };
    const { fresh } = this.#list.trail.add(answer.items);
    this.#list.covered = answer.rowCount;
    if (answer.rowCount < this.#asked) this.#list.shortAt = answer.rowCount;
    return stepWith("same form", answer, fresh);
  }
}

/** How an answer meets what a walk has already given. */
export interface Meeting<Item> {
  /** Rows older than everything given so far, newest first. */
  readonly fresh: readonly Item[];
  /** The answer's last row is the oldest one given so far. */
  readonly endsAtTail: boolean;
  /** Holds the oldest row given so far. */
  readonly meetsTail: boolean;
  /** Holds the newest row of the walk. */
  readonly meetsHead: boolean;
}

/**
 * The rows a walk has given, from its newest (the head) to the oldest so far (the tail). A walk shows the list as
 * it stood when the walk began: rows that came since push others down, so an answer may begin with rows already
 * given, and rows never seen that stand above one already given are newer than the walk and are left out.
 */
export class Trail<Item extends { readonly id: string }> {
  readonly #given = new Set<string>();
  readonly #newer = new Set<string>();
  #head: string | undefined;
  #tail: string | undefined;

  /** Looks, and changes nothing. */
  meet(items: readonly Item[]): Meeting<Item> {
    const [head, tail] = [this.#head, this.#tail];
    return {
      fresh: items.slice(this.#firstFresh(items)),
      endsAtTail: tail !== undefined && items.at(-1)?.id === tail,
      meetsTail: items.some(({ id }) => id === tail),
      meetsHead: items.some(({ id }) => id === head),
    };
  }

  /** Takes the answer's fresh rows as given. */
  add(items: readonly Item[]): Meeting<Item> {
    const meeting = this.meet(items);
    for (const { id } of meeting.fresh) this.#given.add(id);
    for (const { id } of items) if (!this.#given.has(id)) this.#newer.add(id);
    this.#head ??= meeting.fresh[0]?.id;
    this.#tail = meeting.fresh.at(-1)?.id ?? this.#tail;
    return meeting;
  }

  #firstFresh(items: readonly Item[]): number {
    const lastGiven = items.findLastIndex(({ id }) => this.#given.has(id));
    if (lastGiven !== -1) return lastGiven + 1;
    return this.#areAllNewer(items) ? items.length : 0;
  }

  /** Whether so many rows came in at once that they fill the whole answer. One row already known to be newer tells, or ids that have an order. */
  #areAllNewer(items: readonly Item[]): boolean {
    const head = this.#head;
    if (head === undefined) return false;
    if (items.some(({ id }) => this.#newer.has(id))) return true;
    return items.every(({ id }) => (compareIds(id as TransactionId, head as TransactionId) ?? 0) > 0);
  }
}

/** Tells from page to page of one form what each answer means. */
export class Turns<Item extends { readonly id: string }> {
  #before: DecodedPage<Item> | undefined;
  #fruitless = 0;
  #fullSize: number;

  constructor(
    size: number,
    /** Answers in a row that may bring nothing, because rows pouring in push pages down. */
    private readonly patience: number,
  ) {
    this.#fullSize = size;
  }

  meaningOf(answer: DecodedPage<Item>, freshRows: number, endsAtTail: boolean): Meaning {
    const before = this.#before;
    // The panel may give smaller pages than asked for; its first one shows their size.
    if (before === undefined && freshRows > 0) this.#fullSize = answer.rowCount;
    this.#before = answer;
    if (freshRows > 0) {
      this.#fruitless = 0;
      return "more";
    }
    if (before !== undefined && sameRows(before, answer)) return endsAtTail ? "end again" : "elsewhere";
    if (endsAtTail && answer.rowCount < this.#fullSize) return "end";
    return ++this.#fruitless < this.patience ? "unclear" : "stuck";
  }
}

export function sameRows<Item extends { readonly id: string }>(a: Page<Item>, b: Page<Item>): boolean {
  return a.items.length === b.items.length && a.items.every(({ id }, index) => id === b.items[index]?.id);
}

/** What a client has learned of how this panel pages one of its lists. */
export interface PagingMemory {
  /** `/page/p/per_page/n` was seen to honour both numbers, for every n up to this one. */
  bothUpTo: number;
  /** `/page/p/per_page/n` was seen to be answered with anything else. */
  bothFail: boolean;
  /** The most rows this panel gives for `/per_page/n`, once that was seen to be fewer than asked for. */
  cap: number | undefined;
  /** `/page/p` alone was seen to give ten rows, as documented. */
  pagesOfTen: boolean;
  /** What a page after the last one holds. */
  pastTheEnd: "unknown" | "empty" | "repeats";
}

export function newPagingMemory(): PagingMemory {
  return { bothUpTo: 0, bothFail: false, cap: undefined, pagesOfTen: false, pastTheEnd: "unknown" };
}

/** Reads one page by a path of the panel's; throws a PanelError. */
export type ReadPage<Item> = (page: PageRequest) => Promise<AnsweredPage<Item>>;

const unknownPathKinds: ReadonlySet<PanelErrorKind> = new Set([
  "notFound",
  "invalid",
  "refusedRequest",
  "redirect",
  "loginPage",
  "notThePanel",
  "unreadable",
]);

/** Ways of a panel to say that it does not know a path. */
export function isUnknownPath(error: PanelError): boolean {
  return unknownPathKinds.has(error.kind) || error.status === 500 || error.status === 501;
}

/** The same, and ways to say that this is more than the panel can give in one answer. */
function isTooMuchAtOnce(error: PanelError): boolean {
  return isUnknownPath(error) || error.kind === "tooLarge" || error.kind === "timeout" || error.kind === "serverError";
}

export async function readOrRefusal<Item>(
  read: ReadPage<Item>,
  page: PageRequest,
  isRefusal: (error: PanelError) => boolean,
): Promise<AnsweredPage<Item> | "refused"> {
  try {
    return await read(page);
  } catch (error) {
    if (error instanceof PanelError && isRefusal(error)) return "refused";
    throw error;
  }
}
