import type { Mark } from "../inputs/intent";
import { isEnd } from "../panel/facts";
import { omitUndefined } from "../plain/plain";
import { compareIds, isDecimalId, type Row, type TransactionId } from "../panel/types";

export type { Mark, Row };

/**
 * The order of the panel's list. No other file compares ids.
 *
 * Page 1 is the newest. If all ids are decimal, the rows are in numerical order, whatever order a page lists them in. Otherwise, the rows of one page
 * have no order among themselves, but the pages do:
 *
 *     numbers   5017 5016 | 5015 5014      the mark is 5015: 5017 and 5016 are above it
 *     pages     {x k q}   | {c p}          the mark is the page {q c p}: x and k are above it
 */
export type ListOrder = "numbers" | "pages";

/** What a page shows about the order. A few rows prove nothing, because they may be in order by chance. Concurrent jobs may be listed one row out of order. */
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

export interface ShownList {
  readonly pages: readonly (readonly Row[])[];
  /** The pages' rows in order, and possibly rows from further down. */
  readonly rows: readonly Row[];
  readonly order: ListOrder;
  readonly isWhole: boolean;
}

/** If ids are in numerical order, any ten rows serve as a page. */
const shortPage = 10;
/** The number of rows that a mark should have. With fewer rows, a page that contains all of them could also reach below the mark. */
export const rowsForMark = 20;
/** A mark stores at most this many other rows: the lowest in the list, which are enough. */
const mostOthers = 100;

/** The mark for the newest position that was read: the ended jobs on the first page that has any, and the rows listed near them. */
export function markOf({ pages, rows, order, isWhole }: ShownList, panel: string, panelTime: number | undefined): Mark {
  const shown = order === "numbers" ? inShortPages(rows) : pages;
  const hasEnded = endsIn(rows);
  const place = shown.findIndex((page) => page.some(hasEnded));
  const ended = (shown[place] ?? []).filter(hasEnded).map(({ id }) => id);
  const others = new Set<string>();
  let endedSoFar = 0;
  for (const [index, page] of shown.entries()) {
    if (index > place + 1 && endedSoFar >= rowsForMark) break;
    endedSoFar += page.filter(hasEnded).length;
    for (const { id } of page) if (!ended.includes(id)) others.add(id);
  }
  const isAll = isWhole && ended.length + others.size === rows.length;
  return omitUndefined<Mark>({
    panel,
    ended,
    others: others.size > 0 ? [...others].slice(-mostOthers) : undefined,
    isWhole: isAll || undefined,
    newestId: order === "numbers" ? rows[0]?.id : undefined,
    takenAt: panelTime === undefined ? undefined : new Date(panelTime).toISOString(),
  });
}

/** Returns a test for rows that have ended. If no row has a status that is known to be final, any unknown status may be final. */
function endsIn(rows: readonly Row[]): (row: Row) => boolean {
  const ends = ({ state }: Row): boolean => isEnd(state);
  return rows.some(ends) ? ends : ({ state }) => state === "unknown";
}

function inShortPages(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / shortPage) }, (_, nth) =>
    rows.slice(nth * shortPage, (nth + 1) * shortPage),
  );
}

const idsOf = ({ ended, others = [] }: Mark): readonly string[] => [...ended, ...others];

/** Unless ids are in numerical order, a page may have at most this many rows, because a longer page could reach below the mark. */
export function longestPageFor(mark: Mark | undefined): number {
  return mark === undefined || mark.isWhole ? Infinity : idsOf(mark).length;
}

interface Above {
  /** All rows down to the page with the mark, except those that were already listed when the mark was taken. */
  readonly ids: ReadonlySet<string>;
  /** Rows that may be older than the mark, because their page may reach below it. */
  readonly unsure: ReadonlySet<string>;
  readonly isMet: boolean;
}

/** Caches what is above a mark, because thousands of restores search the same pages, most of them for the same few marks. */
const known = new WeakMap<ShownList["pages"], Map<string, Above>>();
const keys = new WeakMap<Mark, string>();

export function rowsAbove(shown: ShownList, mark: Mark): Above {
  const ofPages = known.get(shown.pages) ?? new Map<string, Above>();
  known.set(shown.pages, ofPages);
  const key = keys.get(mark) ?? JSON.stringify(mark);
  keys.set(mark, key);
  const found = ofPages.get(key) ?? findAbove(shown, mark);
  ofPages.set(key, found);
  return found;
}

function findAbove({ pages, order }: ShownList, mark: Mark): Above {
  const { ended, newestId } = mark;
  const [ids, unsure] = [new Set<string>(), new Set<string>()];
  const [seen, missing, rest] = [new Set<string>(), new Set(ended), new Set(idsOf(mark))];
  const byNumber = order === "numbers" && newestId !== undefined;
  // More than half of the mark's ended jobs must be found. The others may have moved up because somebody ran them again.
  const isMet = (): boolean => 2 * missing.size < ended.length;
  for (const page of pages) {
    if (isMet() && !byNumber) break;
    const more = page.filter(({ id }) => !seen.has(id));
    const mayReachBelow = !byNumber && mark.isWhole !== true && more.length > rest.size;
    for (const { id } of more) {
      seen.add(id);
      missing.delete(id);
      const wasListed = rest.delete(id);
      if (byNumber ? !isLower(newestId, id) : wasListed) continue;
      ids.add(id);
      if (mayReachBelow) unsure.add(id);
    }
  }
  return { ids, unsure, isMet: isMet() };
}

/** Whether everything above a mark was read. If no job had ended when the mark was taken, only the end of the list shows that. */
export function reachesMark(shown: ShownList, mark: Mark): boolean {
  return mark.ended.length === 0 ? shown.isWhole : rowsAbove(shown, mark).isMet;
}

/** How far down a read must go: until it has reached all of these. If none is set, the newest page is enough. */
export interface Depth {
  readonly mark?: Mark | undefined;
  readonly ids?: readonly string[];
  /** The read must reach a few rows below these, because earlier parts of the same job may be there. */
  readonly around?: readonly string[];
  readonly rows?: number;
  /** If the mark is further down than this many rows, the read need not reach it. */
  readonly mostRows?: number;
}

const furtherRows = 20;

export function reachesDepth(shown: ShownList, depth: Depth): boolean {
  const { mark, ids = [], around = [], rows = 0, mostRows = Infinity } = depth;
  if (shown.rows.length < rows) return false;
  if (mark && shown.rows.length < mostRows && !reachesMark(shown, mark)) return false;
  return ids.every((id) => reachesRow(shown, id, 0)) && around.every((id) => reachesRow(shown, id, furtherRows));
}

/** Whether a row, and at least `further` rows below it, were read. */
function reachesRow({ rows, order }: ShownList, id: string, further: number): boolean {
  const lowest = rows.at(-1)?.id;
  if (order === "numbers" && lowest !== undefined && isDecimalId(id)) return idsBetween(id, lowest) >= further;
  return rows.slice(0, rows.length - further).some((row) => row.id === id);
}

/** Whether even the newest page is older than a mark. If so, either this copy of the list is outdated, or the list was emptied. */
export function isOlder({ pages: [page = []], order }: ShownList, mark: Mark): boolean {
  const { newestId } = mark;
  if (page.length === 0) return idsOf(mark).length > 0;
  return order === "numbers" && newestId !== undefined && page.every(({ id }) => isLower(id, newestId));
}

/** Whether an id from an answer may belong to a row that was created after a mark. */
export function mayBeAbove(id: string, mark: Mark): boolean {
  const { newestId } = mark;
  return !idsOf(mark).includes(id) && (newestId === undefined || !isDecimalId(id) || isLower(newestId, id));
}

/** Returns the ids only if all may belong to rows above the mark. An older id comes from a list of past rows, and an id in another form belongs to no row. */
export function namedAbove(ids: readonly string[], mark: Mark): readonly string[] {
  const isOfList = (id: string): boolean => mark.ended.some((one) => isDecimalId(one) === isDecimalId(id));
  return ids.every((id) => mayBeAbove(id, mark) && (mark.ended.length === 0 || isOfList(id))) ? ids : [];
}

/** The difference between two ids, or 0 if they are not numbers. There are at most that many rows between the two ids. */
export function idsBetween(newer: string, older: string): number {
  return isDecimalId(newer) && isDecimalId(older) ? Number(BigInt(newer) - BigInt(older)) : 0;
}

function isLower(a: string, b: string): boolean {
  return (compareIds(a as TransactionId, b as TransactionId) ?? 0) < 0;
}
