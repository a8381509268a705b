import type { Floor, Head } from "../../feed/watching";
import { compareIds } from "../../panel/terms/ids";
import type { Transaction, TransactionId } from "../../panel/terms/types";
import type { Mark } from "../terms/intent";
import { latest, namesZone } from "./stamps";

/** Where the list stands, from one read of its newest page. */
export function markOf(head: Head, panel: string): Mark {
  const newest = head.rows[0];
  // A list may be sorted by something else than when its rows were made.
  const newestCreatedAt = latest(head.rows.map(({ createdAt }) => createdAt));
  return {
    panel,
    ...(newest && { newestId: highest(head.rows).id }),
    ...(newestCreatedAt !== undefined && { newestCreatedAt }),
    takenAt: new Date(head.panelTime ?? head.wallTime).toISOString(),
    firstPageIds: head.rows.slice(0, idsKept).map((row) => row.id),
  };
}

/**
 * The panel's own page is ten rows. Of a larger one no more is kept: any one of these rows marks the place, and the state
 * holds them several times for every restore.
 */
const idsKept = 10;

/** The first row, unless another one of the page has a higher decimal id: then the list was read while it shifted. */
function highest(rows: readonly Transaction[]): Transaction {
  return rows.reduce((high, row) => ((compareIds(row.id, high.id) ?? -1) > 0 ? row : high));
}

/**
 * Whether a row was made after the mark was taken. Decimal ids compare; other ids are told by what the feed has
 * shown, which ends a walk at the first row of the mark's page, and by the panel's own time stamps.
 */
export function isAbove(row: Pick<Transaction, "id" | "createdAt">, mark: Mark): boolean {
  if (mark.newestId === undefined) return true;
  const order = compareIds(row.id, mark.newestId as TransactionId);
  if (order !== undefined) return order > 0;
  if (mark.firstPageIds.includes(row.id)) return false;
  const made = Date.parse(row.createdAt ?? "");
  const marked = Date.parse(mark.newestCreatedAt ?? "");
  return Number.isNaN(made) || Number.isNaN(marked) || made >= marked;
}

/**
 * When a mark was taken, on the panel's stamps: what they are compared with must be stamps too. Of what is known of it, the latest counts:
 * the newest row had been made by then, and the panel's clock said when it was, off by no less than stamps run ahead of it.
 */
export function markedAt(mark: Mark, stampsAheadMs: number | undefined): number | undefined {
  const newest = Date.parse(mark.newestCreatedAt ?? "");
  const taken = Date.parse(mark.takenAt ?? "");
  // The newest row alone may be of long before, on a panel that was quiet.
  if (Number.isNaN(taken)) return undefined;
  // Without a zone, and before anything has told how far its stamps are off, the clock says nothing about them.
  const isLocal = mark.newestCreatedAt !== undefined && !namesZone(mark.newestCreatedAt);
  const byClock = taken + (stampsAheadMs ?? (isLocal ? Number.NaN : 0));
  const known = [newest, byClock].filter((at) => !Number.isNaN(at));
  return known.length === 0 ? undefined : Math.max(...known);
}

/** How far down the list has to be read to see everything above the mark. */
export function floorAbove(mark: Mark): Floor {
  if (mark.newestId === undefined) return { aboveNothing: true };
  return { above: mark.newestId as TransactionId, aboveIds: mark.firstPageIds as readonly TransactionId[] };
}

/**
 * The same for somebody who may come long after the mark was taken: however the list is sorted, by now rows from before the mark
 * may stand above one that was made after it and has ended.
 */
export function floorLongAbove(mark: Mark): Floor {
  const changedSince = Date.parse(mark.newestCreatedAt ?? "");
  return { ...floorAbove(mark), ...(!Number.isNaN(changedSince) && { changedSince }) };
}
