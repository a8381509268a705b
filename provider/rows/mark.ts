import { highestId, isNewestFirst } from "../feed/newest-first";
import type { NewestPage } from "../feed/types";
import type { Mark, PanelOnly } from "../inputs/intent";
import { parseStamp, formatUtc, zonedTime } from "../plain/clock";
import { compareIds, isDecimalId, type Transaction, type TransactionId } from "../panel/types";

type PlacedRow = Pick<Transaction, "id" | "createdAt">;

/** The mark of the list, made of one read of its newest page. */
export function markOf(newestPage: NewestPage, panel: string): Mark {
  const newest = newestRow(newestPage.rows);
  const takenAt = newestPage.panelTime === undefined ? {} : { takenAt: formatUtc(newestPage.panelTime) };
  if (newest === undefined) return { panel, ...takenAt, firstPageIds: [] };
  return {
    panel,
    newestId: newest.id,
    ...(parseStamp(newest.createdAt) && { newestCreatedAt: newest.createdAt }),
    ...takenAt,
    ...(!isDecimalId(newest.id) && { firstPageIds: newestPage.rows.slice(0, mostIdsKept).map(({ id }) => id) }),
  };
}

/** The panel's own page has ten rows. Any one of them marks the position, so more are not kept. */
const mostIdsKept = 10;

/** The row with the highest id, or the first if ids do not compare. A list read while it grows may show two rows in the wrong order. */
function newestRow<Row extends PlacedRow>(rows: readonly Row[]): Row | undefined {
  const id = highestId(rows.map((row) => row.id));
  return rows.find((row) => row.id === id);
}

/** True if it holds a position in the list. An empty list is one too: every row was made after it. */
export function isMark(posted: Mark | PanelOnly): posted is Mark {
  return "newestId" in posted || "firstPageIds" in posted;
}

/** Down to where the next scan has to go: the higher one; where ids do not compare, where the scan began that went down to the other. */
export function laterMark(before: Mark | undefined, now: Mark): Mark {
  if (before === undefined) return now;
  if (now.panel !== before.panel || now.newestId === undefined) return before;
  if (before.newestId === undefined) return now;
  const order = compareIds(now.newestId as TransactionId, before.newestId as TransactionId);
  return order !== undefined && order < 0 ? before : now;
}

/**
 * The reason why a page must not decide about a POST, if there is one: the list is not newest first, or the page is older than the mark, as
 * from a copy of the panel's data that is behind. An empty page never proves that an earlier run posted nothing.
 */
export function whyPageUnusable(
  rows: readonly Transaction[],
  mark: Mark,
  mayBePosted: boolean,
): "empty" | "still empty" | "older" | "not newest first" | undefined {
  if (!isNewestFirst(rows)) return "not newest first";
  const newest = newestRow(rows);
  if (mark.newestId === undefined) return newest === undefined && mayBePosted ? "still empty" : undefined;
  if (newest === undefined) return "empty";
  const order = compareIds(newest.id, mark.newestId as TransactionId);
  const isOlder = order === undefined ? (mark.firstPageIds ?? []).indexOf(newest.id) > 0 : order < 0;
  return isOlder ? "older" : undefined;
}

/**
 * The rows of one scan, newest first, that were made after the mark was taken. `seenFrom` is where the scan before this one began, down to which
 * this one went: where ids do not compare, nothing else tells what is above the mark.
 */
export function rowsAbove<Row extends PlacedRow>(rows: readonly Row[], mark: Mark, seenFrom = mark): readonly Row[] {
  const { newestId } = mark;
  if (newestId === undefined) return rows;
  if (isDecimalId(newestId)) return rows.filter((row) => (compareIds(row.id, newestId as TransactionId) ?? 1) > 0);
  // Rows above the mark come before the first row of the mark's page.
  const first = rows.findIndex(({ id }) => seenFrom.firstPageIds?.includes(id));
  return first === -1 ? rows : rows.slice(0, first);
}

/** The panel's clock and its stamps may be so far apart. */
const clockSlackMs = 3_600_000;

/**
 * A row that was made earlier was listed late: before the newest row of the mark, by stamps that name a zone, or long before the mark was taken
 * by the panel's clock.
 */
export function madeSince({ newestCreatedAt, takenAt }: Mark): number | undefined {
  const taken = zonedTime(takenAt);
  const times = [zonedTime(newestCreatedAt), taken && taken - clockSlackMs].filter((at) => at !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** True for a row of the mark's page where ids do not compare: only such a row shows where the mark is. */
export function isMarkRow(row: Pick<Transaction, "id">, { newestId, firstPageIds = [] }: Mark): boolean {
  return newestId !== undefined && !isDecimalId(newestId) && firstPageIds.includes(row.id);
}
