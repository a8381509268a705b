import { formatDuration } from "../inputs/duration";
import { formatUtc } from "../plain/clock";
import type { Message } from "../plain/message";
import { firstFew, forTerminal } from "../plain/text";
import type { Picked, NotPicked } from "./pick-by-rule";
import { isOfFuture, type Point, type PointList } from "./points";

/** Why there is no usable list. `error` comes from the panel. */
export type ListUnavailable =
  | { readonly kind: "no list" | "forbidden" | "unread" | "not whole"; readonly error: Message }
  | { readonly kind: "other machines"; readonly machines: readonly string[] };

const giveAnId = "set recoveryPointId instead of recoveryPoint";
const lookAtThem = `Look at the points on the panel and ${giveAnId}`;
const stateWord =
  "If points in that state can be restored, add the state to recovery:pointStates (if none is set: `pulumi config set recovery:pointStates <state>`)";

/** Says why no point was picked, and what to do. Ages are computed from `now`, the time by the panel's clock. */
export function whyNotPicked(why: NotPicked | ListUnavailable, now?: number): Message {
  const isUnavailable = "error" in why || "machines" in why;
  return { ...(isUnavailable ? whyNoList(why) : whyNoneOfList(why, now)), help: "point" };
}

function whyNoList(why: ListUnavailable): Omit<Message, "help"> {
  switch (why.kind) {
    case "no list":
      return {
        ...why.error,
        what: "the panel shows no list of recovery points for this machine (status 404)",
        next: `Correct the machine's id or, if the panel is older than 5.9, run \`pulumi config set recovery:apiVersion 5.8\`; if the panel has no such list, ${giveAnId}`,
      };
    case "forbidden":
      return {
        ...why.error,
        what: "the panel does not let this user read the machine's list of recovery points",
        next: `Allow it in the role of recovery:username, or ${giveAnId}`,
      };
    case "unread":
      return { ...why.error, what: `the machine's list of recovery points could not be read: ${why.error.what}` };
    case "not whole":
      return {
        ...why.error,
        what: `the panel may have more recovery points for this machine than it shows, including a better match: ${why.error.what}`,
        next: lookAtThem,
      };
    case "other machines":
      return {
        what: `the machine's list of recovery points also contains points of other machines (${firstFew(why.machines)}), so the list cannot be trusted`,
        next: lookAtThem,
      };
  }
}

function whyNoneOfList(why: NotPicked, now: number | undefined): Omit<Message, "help"> {
  switch (why.kind) {
    case "no points":
      return {
        what: "the panel lists no recovery points for this machine",
        next: "Make a backup, or check on the panel whether the points were deleted",
      };
    case "no ids":
      return {
        what: `no point in the panel's list has an id (${String(why.rows)} checked)`,
        next: lookAtThem,
      };
    case "none usable":
      return {
        what: "no point in the panel's list can be restored",
        next: stateWord,
        lines: pointLines(why.points, now),
      };
    case "no times":
      return {
        what: "no restorable point has a timestamp with a time zone",
        next: lookAtThem,
        lines: pointLines(why.points, now),
      };
    case "only future":
      return {
        what: `every restorable point is dated in the future${panelClockText(now)}`,
        next: `Correct the clock that is wrong, the panel's or the backups', or ${giveAnId}`,
        lines: pointLines(why.points, now),
      };
    case "no clock":
      return {
        what: "within is measured by the panel's clock, but the panel's response does not include the time",
        next: `Use before instead, or ${giveAnId}`,
      };
    case "none fits":
      return {
        what: `no restorable point matches the rule (${String(why.usable)} checked)`,
        next: `Change the rule, or ${giveAnId}`,
        lines: why.nearest.map((point) => `the closest is ${namePoint(point, now)}`),
      };
  }
}

/** Warnings about better points that were skipped because they cannot be restored, have no known time, or have a time in the future. */
export function passedOverWarnings({ point, passedOver }: Picked, { now, skipped }: PointList): string[] {
  const unusable = passedOver.filter(({ usable }) => !usable);
  const future = passedOver.filter((one) => one.usable && isOfFuture(one, now));
  const untimed = passedOver.filter((one) => one.usable && !future.includes(one));
  const chosen = namePoint(point, now);
  const notTaken = (others: readonly Point[], why: string): string[] =>
    others.length === 0
      ? []
      : [`recovery point ${chosen} was chosen instead of ${firstFew(pointLines(others, now))}${why}`];
  return [
    ...notTaken(unusable, `. ${stateWord}`),
    ...notTaken(future, `: dated in the future${panelClockText(now)}`),
    ...notTaken(untimed, ": no timestamp with a time zone"),
    ...(skipped === 0 ? [] : [`points without an id were skipped: ${String(skipped)}`]),
  ];
}

function panelClockText(now: number | undefined): string {
  return now === undefined ? "" : ` (by the panel's clock, it is ${formatUtc(now)})`;
}

function pointLines(points: readonly Point[], now: number | undefined): readonly string[] {
  return points.map((point) => namePoint(point, now));
}

function namePoint(point: Point, now: number | undefined): string {
  return `${point.id} (${describePoint(point, now)})`;
}

function describePoint({ state, takenAt, stamp }: Point, now: number | undefined): string {
  const age = takenAt === undefined || now === undefined ? Number.NaN : now - Date.parse(takenAt);
  const old = age >= 0 ? `, ${formatDuration(Math.round(age / 60_000) * 60)} old` : "";
  const taken = takenAt === undefined ? (stamp ?? "no time") : `taken ${takenAt}${old}`;
  return forTerminal(`${state === undefined ? "" : `${state.slice(0, 40)}, `}${taken.slice(0, 60)}`);
}
