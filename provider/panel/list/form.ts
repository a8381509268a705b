import { handedOut } from "../formats/decode";
import type { AnsweredPage } from "../answers/list-answer";
import type { PanelError } from "../errors";
import type { Page, PageRequest } from "../terms/types";
import type { PagingMemory } from "./paging-memory";
import type { ReadPage } from "./read-page";
import type { Trail } from "./trail";

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
