import type { Floor, Head } from "../../feed/watching";
import { compareIds } from "../../panel/terms/ids";
import type { Transaction, TransactionId } from "../../panel/terms/types";
import type { Mark, PanelAlone } from "../terms/intent";
import { aheadAtLeast, earliest, latest, namesZone } from "./stamps";

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

/** Whether it says where the list stood. An empty list is a place too: what is there now was made after it. */
export function tellsPlace(posted: Mark | PanelAlone): posted is Mark {
  return "firstPageIds" in posted;
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

/** What the list has shown above a mark. */
export interface AboveMark {
  /** The oldest stamp of it that is not from before the mark. */
  readonly oldest?: string;
  /** Whether it was everything there is, in one look. */
  readonly whole: boolean;
}

/** The same with the rows of a further look at the top of the list, and with others that were met. */
export function seenAbove(
  before: AboveMark | undefined,
  mark: Mark,
  top: readonly Pick<Transaction, "id" | "createdAt">[],
  others: readonly Pick<Transaction, "id" | "createdAt">[],
): AboveMark {
  const newest = Date.parse(mark.newestCreatedAt ?? "");
  // What is stamped before the newest row of the mark is no witness of what came after it.
  const stamps = [...top, ...others]
    .filter((row) => isAbove(row, mark) && !(Date.parse(row.createdAt ?? "") < newest))
    .map(({ createdAt }) => createdAt);
  const oldest = earliest([before?.oldest, ...stamps]);
  const whole = before?.whole === true || !top.every((row) => isAbove(row, mark));
  return { ...(oldest !== undefined && { oldest }), whole };
}

/** When a mark was taken, on the panel's stamps: what they are compared with must be stamps too. */
export interface MarkedAt {
  /** Where stamps name no zone, and nothing tells how far they are off, it may have been any time before. */
  readonly told: "exactly" | "no later than";
  readonly at: number;
}

/**
 * What is known of it is that the newest row had been made by then, that the panel's clock said when it was, and that what stands above
 * was made since. Stamps without a zone are off by hours. How many is known from below, by the youngest row of a time, which on a quiet
 * panel is a day old, and from above, by the oldest row since the mark. On a panel so busy that its top no longer shows the mark, two
 * bounds from below that agree, of then and of now, were each set by a young row.
 */
export function markedAt(
  mark: Mark,
  stampsAheadMs: number | undefined,
  { oldest, whole }: AboveMark,
): MarkedAt | undefined {
  const newest = Date.parse(mark.newestCreatedAt ?? "");
  const taken = Date.parse(mark.takenAt ?? "");
  const oldestAbove = Date.parse(oldest ?? "");
  const isLocal = [mark.newestCreatedAt, oldest].some((stamp) => stamp !== undefined && !namesZone(stamp));
  const then = aheadAtLeast([mark.newestCreatedAt], taken) ?? Number.NaN;
  const now = stampsAheadMs ?? Number.NaN;
  const atLeast = Math.max(...[then, now].filter((ahead) => !Number.isNaN(ahead)));
  const isTold = !isLocal || oldestAbove - taken - atLeast <= closeMs || (!whole && Math.abs(then - now) <= closeMs);
  if (isTold && !Number.isNaN(taken)) {
    const byClock = taken + (isLocal ? atLeast : (stampsAheadMs ?? 0));
    return { told: "exactly", at: Number.isNaN(newest) ? byClock : Math.max(newest, byClock) };
  }
  return Number.isNaN(oldestAbove) ? undefined : { told: "no later than", at: oldestAbove };
}

/** Bounds as close as this tell enough: what they decide is a matter of hours. */
const closeMs = 3_600_000;

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
