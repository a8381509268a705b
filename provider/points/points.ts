import { isValidId, type ListedPoint, type MachineId, type Page, type RecoveryPointId } from "../panel/types";
import { knownStatus } from "../panel/conventions";
import { zonedTime, formatUtc } from "../plain/clock";
import { omitUndefined } from "../plain/plain";

/** A recovery point as the panel lists it. */
export interface Point {
  readonly id: RecoveryPointId;
  /** In UTC; absent if the panel sends no time with a zone. */
  readonly takenAt?: string;
  /** The time as the panel writes it. */
  readonly stamp?: string;
  readonly state?: string;
  readonly sizeBytes?: number;
  /** True if the point can be restored: its state allows it, and its id can be part of a request. */
  readonly usable: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface PointList {
  /** Newest first; points without a time last. */
  readonly points: readonly Point[];
  /** The number of rows without an id. */
  readonly skipped: number;
  /** The panel's clock at the time of the read, in milliseconds since the epoch. */
  readonly now?: number;
}

/** A backup's clock may run ahead of the panel's by this much. */
const futureToleranceMs = 60_000;

/** True if a point's time is in the future according to the panel's clock. False if the panel does not send its time. */
export function isOfFuture({ takenAt }: Point, now: number | undefined): boolean {
  return takenAt !== undefined && now !== undefined && Date.parse(takenAt) > now + futureToleranceMs;
}

/** The states in which a point can be restored on any panel. */
const builtStates = ["built", "available"];

/**
 * Turns the rows of the list into recovery points, newest first, whatever the panel's order. `stateWords`: additional
 * states in which points can be restored, in lower case.
 */
export function toPoints(page: Page<ListedPoint>, stateWords: readonly string[]): PointList {
  const words = new Set([...builtStates, ...stateWords]);
  const points = page.items.map((row) => toPoint(row, words)).sort(newestFirst);
  return omitUndefined<PointList>({ points, skipped: page.skipped, now: page.panelTime });
}

/** True if a list has no rows, not even rows without an id. */
export const listsNothing = ({ items, skipped }: Page<unknown>): boolean => items.length + skipped === 0;

/** False for an unknown state, because it may be the panel's own word for a usable point. An unfinished or failed point cannot be restored. */
export function isKnownUnusable(state = ""): boolean {
  const meaning = knownStatus(state);
  return meaning !== undefined && meaning !== "complete";
}

function toPoint(row: ListedPoint, words: ReadonlySet<string>): Point {
  const at = zonedTime(row.createdAt);
  const state = row.state?.trim().toLowerCase() ?? "";
  return omitUndefined<Point>({
    id: row.id,
    takenAt: at === undefined ? undefined : formatUtc(at),
    stamp: row.createdAt,
    state: row.state,
    sizeBytes: row.size,
    usable: (state === "" || words.has(state)) && isValidId(row.id),
    fields: row.fields,
  });
}

/** Of two points taken at the same moment, the point with the higher id comes first, so that the order is always the same. */
function newestFirst(a: Point, b: Point): number {
  const [left, right] = [zonedTime(a.takenAt), zonedTime(b.takenAt)];
  if (left !== right) return (right ?? -Infinity) - (left ?? -Infinity);
  return b.id.localeCompare(a.id, "en", { numeric: true });
}

/**
 * The other machines that rows name. A machine has a number and a name. Rows contain the number even if the list was requested by name; in that case, the list
 * is accepted if all rows have the same number.
 */
export function otherMachines(page: Page<ListedPoint>, machine: MachineId): readonly string[] {
  const foreign = page.items.filter((row) => row.virtualMachineId !== machine);
  const named = [...new Set(foreign.map(({ virtualMachineId }) => virtualMachineId).filter((id) => id !== undefined))];
  const isNumber = (id: string): boolean => /^\d+$/.test(id);
  const others = named.filter((id) => isNumber(id) === isNumber(machine));
  const numbers = named.filter((id) => isNumber(id) !== isNumber(machine));
  return numbers.length > 1 ? [...others, ...numbers] : others;
}
