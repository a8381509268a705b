import type { Mark } from "../inputs/intent";
import { compareIds, isDecimalId, type Transaction, type TransactionId } from "../panel/types";

/** A transaction as the list shows it. */
export type Row = Transaction;

/**
 * The order of the panel's list. No other file compares ids.
 *
 * Page 1 is the newest. Where all ids are decimal, their numbers are the order, whichever way a page lists them. Elsewhere the rows of one page
 * have no order among themselves, and pages have:
 *
 *     numbers   5017 5016 | 5015 5014      the mark is 5015: above are 5017 and 5016
 *     pages     {x k q}   | {c p}          the mark is the page {q c p}: above are x and k
 */
export type ListOrder = "numbers" | "pages";

/** What a page shows of the order. A few rows may be in order by chance, so they prove nothing. Concurrent jobs may be listed one place off. */
export function orderOf(page: readonly Row[]): ListOrder | undefined {
  if (!page.every(({ id }) => isDecimalId(id))) return "pages";
  const sorted = byNumber(page);
  const isNear = (rows: readonly Row[]): boolean =>
    rows.every(({ id }, at) => sorted.slice(Math.max(0, at - 1), at + 2).some((row) => row.id === id));
  if (!isNear(page) && !isNear(page.toReversed())) return "pages";
  return page.length >= provenByRows ? "numbers" : undefined;
}

const provenByRows = 6;

/** The rows of several pages, newest page first, each row once. */
export function inOrder(pages: readonly (readonly Row[])[], order: ListOrder): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const row of pages.flat()) if (!rows.has(row.id)) rows.set(row.id, row);
  return order === "numbers" ? byNumber([...rows.values()]) : [...rows.values()];
}

function byNumber(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => (isLower(a.id, b.id) ? 1 : -1));
}

/** The place of the newest page in the list. */
export function markOf(page: readonly Row[], order: ListOrder, panel: string, panelTime: number | undefined): Mark {
  const newestId = order === "numbers" ? byNumber(page)[0]?.id : undefined;
  return {
    panel,
    ...(newestId === undefined ? { pageIds: page.map(({ id }) => id) } : { newestId }),
    ...(panelTime !== undefined && { takenAt: new Date(panelTime).toISOString() }),
  };
}

function isEmptyMark({ newestId, pageIds = [] }: Mark): boolean {
  return newestId === undefined && pageIds.length === 0;
}

const idsOf = ({ newestId, pageIds }: Mark): readonly string[] => pageIds ?? (newestId === undefined ? [] : [newestId]);

/** Thousands of restores look at the same pages, most of them from the same few marks. */
const known = new WeakMap<readonly (readonly Row[])[], Map<string, ReadonlySet<string>>>();

/** The rows above a mark. Where pages are the order, these are all up to the page that holds an id of the mark, but for the ids of the mark. */
export function idsAbove(pages: readonly (readonly Row[])[], mark: Mark): ReadonlySet<string> {
  const ofMark = known.get(pages) ?? new Map<string, ReadonlySet<string>>();
  known.set(pages, ofMark);
  const key = mark.newestId ?? `page ${idsOf(mark).join(" ")}`;
  const found = ofMark.get(key) ?? new Set(findAbove(pages, mark).map(({ id }) => id));
  ofMark.set(key, found);
  return found;
}

function findAbove(pages: readonly (readonly Row[])[], mark: Mark): readonly Row[] {
  const { newestId } = mark;
  // Ids that were numbers in order still grow, however the list is sorted now.
  if (newestId !== undefined) return pages.flat().filter(({ id }) => !isDecimalId(id) || isLower(newestId, id));
  const ids = new Set(idsOf(mark));
  const place = pages.findIndex((page) => page.some(({ id }) => ids.has(id)));
  return pages.slice(0, place === -1 ? undefined : place + 1).flatMap((page) => page.filter(({ id }) => !ids.has(id)));
}

/** How far down a read must reach: to all of these. None: the newest page is enough. */
export interface Depth {
  /** Down to a mark. */
  readonly mark?: Mark | undefined;
  /** Until it has met these rows. */
  readonly ids?: readonly string[];
  /** Until it has met these rows, and a little further: earlier parts of the same job may be right below. */
  readonly around?: readonly string[];
  /** At least this many rows. */
  readonly rows?: number;
}

const furtherIds = 20n;

/**
 * Whether a row at or below a mark was read: only then is it known what is above the mark. Below the mark of an empty list there is only the end of
 * the list.
 */
export function reachesMark(rows: readonly Row[], mark: Mark, order: ListOrder, isWhole: boolean): boolean {
  if (isEmptyMark(mark)) return isWhole;
  return idsOf(mark).some((id) => isMet(rows, id, order));
}

export function reachesIds(rows: readonly Row[], { ids = [], around = [] }: Depth, order: ListOrder): boolean {
  return [...ids, ...(order === "numbers" ? around.map(below) : around)].every((id) => isMet(rows, id, order));
}

function isMet(rows: readonly Row[], id: string, order: ListOrder): boolean {
  const lowest = rows.at(-1)?.id;
  if (order === "numbers" && lowest !== undefined && isDecimalId(id)) return !isLower(id, lowest);
  return rows.some((row) => row.id === id);
}

function below(id: string): string {
  if (!isDecimalId(id)) return id;
  return String(BigInt(id) > furtherIds ? BigInt(id) - furtherIds : 0n);
}

/** A page that is older than a mark shows nothing of what was made since: a copy of the list that lags behind, or a list that was emptied. */
export function isOlder(page: readonly Row[], mark: Mark, order: ListOrder): boolean {
  if (isEmptyMark(mark)) return false;
  if (page.length === 0) return true;
  const { newestId } = mark;
  return order === "numbers" && newestId !== undefined && page.every(({ id }) => isLower(id, newestId));
}

/** Whether an id that an answer named may belong to a row made after a mark. */
export function mayBeAbove(id: string, { newestId, pageIds = [] }: Mark): boolean {
  if (pageIds.includes(id)) return false;
  return newestId === undefined || !isDecimalId(id) || isLower(newestId, id);
}

/** How many ids are between two rows; undefined if ids are not numbers. At most as many rows are between them. */
export function idsBetween(newer: string, older: string): number | undefined {
  return isDecimalId(newer) && isDecimalId(older) ? Number(BigInt(newer) - BigInt(older)) : undefined;
}

function isLower(a: string, b: string): boolean {
  return (compareIds(a as TransactionId, b as TransactionId) ?? 0) < 0;
}
