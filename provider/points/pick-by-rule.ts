import type { PointPick, PointRule } from "../inputs/read-point-rule";
import { zonedTime, type Random } from "../plain/clock";
import { isOfFuture, type Point, type PointList } from "./points";

/** A point with a known time. */
type TimedPoint = Point & { readonly takenAt: string };

export interface Picked {
  readonly kind: "chosen";
  readonly point: TimedPoint;
  readonly listed: number;
  /** The number of points that the rule allows. */
  readonly fitted: number;
  /** Points that the rule would have preferred if they could be restored and had a known time in the past. Newest first. */
  readonly passedOver: readonly Point[];
}

export type NotPicked =
  | { readonly kind: "no points" }
  /** `within` counts back from the panel's clock, but the panel's answer had no time. */
  | { readonly kind: "no clock" }
  /** The nearest usable points: the first after the window, and the last before it. If there are none, all points. */
  | { readonly kind: "none fits"; readonly listed: number; readonly nearest: readonly Point[] };

/** Picks a point from the list by the rule. The order of the panel's list makes no difference. */
export function pickByRule(list: PointList, rule: PointRule, random: Random): Picked | NotPicked {
  const { points, skipped, now } = list;
  const listed = points.length + skipped;
  if (listed === 0) return { kind: "no points" };
  if (rule.within !== undefined && now === undefined) return { kind: "no clock" };

  const isPast = (point: Point): boolean => !isOfFuture(point, now);
  const window = windowOf(rule, now);
  const timed = points.filter((point) => point.usable).filter(hasTime);
  const fitting = timed.filter((point) => isPast(point) && sideOfWindow(point, window) === "within");
  const places = { newest: 0, oldest: fitting.length - 1, random: Math.floor(random() * fitting.length) };
  const point = fitting[places[rule.pick]];
  if (point === undefined) {
    const after = timed.filter((one) => !isPast(one) || sideOfWindow(one, window) === "after").slice(-1);
    const before = timed.filter((one) => sideOfWindow(one, window) === "before").slice(0, 1);
    return { kind: "none fits", listed, nearest: timed.length > 0 ? [...after, ...before] : points };
  }
  const passedOver = points.filter((one) => {
    if (!hasTime(one)) return true;
    return !(one.usable && isPast(one)) && sideOfWindow(one, window) === "within" && isPreferred(one, point, rule.pick);
  });
  return { kind: "chosen", point, listed, fitted: fitting.length, passedOver };
}

function hasTime(point: Point): point is TimedPoint {
  return point.takenAt !== undefined;
}

interface TimeWindow {
  /** The earliest time inside the window. */
  readonly from: number;
  /** The earliest time after the window. */
  readonly to: number;
}

function windowOf({ before, within }: PointRule, now = Number.NaN): TimeWindow {
  return {
    from: within === undefined ? -Infinity : now - within * 1_000,
    to: zonedTime(before) ?? Infinity,
  };
}

function sideOfWindow({ takenAt }: TimedPoint, { from, to }: TimeWindow): "within" | "before" | "after" {
  const at = Date.parse(takenAt);
  if (at >= to) return "after";
  return at < from ? "before" : "within";
}

/** True if the rule would have preferred another point to the chosen point. A random rule may prefer any point. */
function isPreferred(one: TimedPoint, chosen: TimedPoint, how: PointPick): boolean {
  const laterMs = Date.parse(one.takenAt) - Date.parse(chosen.takenAt);
  return how === "random" || (how === "newest" ? laterMs > 0 : laterMs < 0);
}

/** The points taken within a window of time, for display. Undefined if `within` is set and the panel sends no time. */
export function pointsWithin(
  { points, now }: PointList,
  window: Pick<PointRule, "before" | "within">,
): readonly Point[] | undefined {
  if (window.before === undefined && window.within === undefined) return points;
  if (window.within !== undefined && now === undefined) return undefined;
  const bounds = windowOf({ pick: "newest", ...window }, now);
  return points.filter((point) => hasTime(point) && sideOfWindow(point, bounds) === "within");
}
