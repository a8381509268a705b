import type { Floor, Head } from "../feed/watching";
import type { Mark, PanelAlone } from "../inputs/intent";
import { compareIds, type Transaction, type TransactionId } from "../panel/types";
import { namesZone } from "../plain/clock";

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
 * The mark right before a POST, of a list in which the intent's mark was made before. What stood there then is no restore of this intent,
 * also where the page that decides about the POST does not show it: an empty one, or one from a copy of the panel's data that is behind.
 */
export function noLowerThan(earlier: Mark, fresh: Mark): Mark {
  return isBehind(fresh, earlier)
    ? { ...earlier, ...(fresh.takenAt !== undefined && { takenAt: fresh.takenAt }) }
    : fresh;
}

/** A list that begins anew with low numbers has younger rows. Where ids do not compare, stamps tell, or else the place in the earlier page. */
function isBehind(fresh: Mark, earlier: Mark): boolean {
  if (earlier.newestId === undefined) return false;
  if (fresh.newestId === undefined) return true;
  const order = compareIds(fresh.newestId as TransactionId, earlier.newestId as TransactionId);
  const made = Date.parse(fresh.newestCreatedAt ?? "") - Date.parse(earlier.newestCreatedAt ?? "");
  if (order !== undefined) return order < 0 && !(made > 0);
  return Number.isNaN(made) ? earlier.firstPageIds.indexOf(fresh.newestId) > 0 : made < 0;
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
  const stamps = [...top, ...others]
    .filter((row) => isAbove(row, mark) && tellsWhatCameAfter(row, mark))
    .map(({ createdAt }) => createdAt);
  const oldest = earliest([before?.oldest, ...stamps]);
  const whole = before?.whole === true || !top.every((row) => isAbove(row, mark));
  return { ...(oldest !== undefined && { oldest }), whole };
}

/**
 * What is stamped before the newest row of the mark is no witness of what came after it. Nor is a row of the same second whose id does not
 * compare: of a batch that was made at once, the mark keeps only a part.
 */
function tellsWhatCameAfter(row: Pick<Transaction, "id" | "createdAt">, mark: Mark): boolean {
  const made = Date.parse(row.createdAt ?? "");
  const newest = Date.parse(mark.newestCreatedAt ?? "");
  if (made === newest) return compareIds(row.id, mark.newestId as TransactionId) !== undefined;
  return !(made < newest);
}

/** When a mark was taken, on the panel's stamps: what they are compared with must be stamps too. */
export interface MarkedAt {
  /**
   * `by likeness`: or later, by as long as the panel was quiet both then and now, a night at most. `no later than`: where stamps name no
   * zone, and nothing tells how far they are off, it may have been any time before.
   */
  readonly told: "exactly" | "by likeness" | "no later than";
  readonly at: number;
}

/**
 * By the panel's clock it is known when a mark was taken; by its stamps only as far as is known how they run ahead of that clock. They do at
 * least as far as the youngest row of then, or of now, tells (`atLeast`), which on a quiet panel may be a row of yesterday. It is told
 * exactly where
 *
 * 1. stamps name their zone: then they run with the clock; or
 * 2. the oldest row above the mark is stamped soon after it, going by `atLeast`: what bounds it from above agrees with what does from below.
 *
 * It is told by likeness where the list is so long that its top no longer shows the mark, and then and now tell alike: on a panel so busy,
 * each was told by a young row, unless its nights are quiet and it was night both times.
 *
 * Say the clock said 10:00, and stamps name no zone. With a newest row stamped 11:58, stamps run ahead by two hours at least. The next row is
 * stamped 12:05: five minutes later by that, so the mark was taken at 12:00. With a newest row stamped 03:00 they might as well run seven
 * hours behind: the mark was taken no later than 12:05, and that is all.
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
  const namesZones = !isLocal;
  const isBoundClosely = oldestAbove - taken - atLeast <= closeMs;
  const isToldAlike = !whole && Math.abs(then - now) <= closeMs;
  const isExact = namesZones || isBoundClosely;
  if ((isExact || isToldAlike) && !Number.isNaN(taken)) {
    const byClock = taken + (isLocal ? atLeast : (stampsAheadMs ?? 0));
    return {
      told: isExact ? "exactly" : "by likeness",
      at: Number.isNaN(newest) ? byClock : Math.max(newest, byClock),
    };
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

/**
 * A panel's time stamps beside its clock. A stamp that names no zone is the panel's local time, and read as the runner's; a stamp that
 * names one may still come from a clock that goes wrong. How far stamps run ahead cannot be told from one of them, only
 * bounded: none was made in the future, and what came after a known time was not made before it.
 */

/** Zones differ by quarters of an hour. */
const quarterMs = 15 * 60_000;
/** Two clocks of one panel may be this far apart without a zone between them. */
const slackMs = 2 * 60_000;

/** The least that stamps run ahead, by the youngest of them at a time of the panel's clock. Negative where they run behind. */
export function aheadAtLeast(stamps: readonly (string | undefined)[], panelNow: number): number | undefined {
  const youngest = latest(stamps);
  if (youngest === undefined) return undefined;
  const ahead = Math.ceil((Date.parse(youngest) - panelNow - slackMs) / quarterMs) * quarterMs;
  return namesZone(youngest) ? Math.max(0, ahead) : ahead;
}

/** The most that they run ahead, by the oldest of some that were made after a time of the panel's clock. */
export function aheadAtMost(stamps: readonly (string | undefined)[], madeAfter: number): number | undefined {
  const oldest = earliest(stamps);
  if (oldest === undefined || Number.isNaN(madeAfter)) return undefined;
  return Math.floor((Date.parse(oldest) - madeAfter + slackMs) / quarterMs) * quarterMs;
}

/** The same for the rows of a read, of what an earlier read has told. */
export function learntAhead(
  before: number | undefined,
  rows: readonly { readonly createdAt?: string; readonly updatedAt?: string }[],
  panelNow: number,
): number | undefined {
  const ahead = aheadAtLeast(
    rows.flatMap((row) => [row.createdAt, row.updatedAt]),
    panelNow,
  );
  return before === undefined || ahead === undefined ? (ahead ?? before) : Math.max(before, ahead);
}

export function earliest(stamps: readonly (string | undefined)[]): string | undefined {
  return pick(stamps, (a, b) => a < b);
}

export function latest(stamps: readonly (string | undefined)[]): string | undefined {
  return pick(stamps, (a, b) => a > b);
}

function pick(stamps: readonly (string | undefined)[], better: (a: number, b: number) => boolean): string | undefined {
  let best: string | undefined;
  for (const stamp of stamps) {
    if (stamp === undefined || Number.isNaN(Date.parse(stamp))) continue;
    if (best === undefined || better(Date.parse(stamp), Date.parse(best))) best = stamp;
  }
  return best;
}
