import { formatDuration } from "../inputs/duration";
import { formatUtc } from "../plain/clock";
import { type Message, partsOf } from "../plain/message";
import { firstFew, forTerminal } from "../plain/text";
import type { Picked, NotPicked } from "./pick-by-rule";
import { isOfFuture, type Point, type PointList } from "./points";

const giveAnId = "set recoveryPointId instead of recoveryPoint";
const lookAtThem = `Look at the points on the panel and ${giveAnId}`;
const stateWord =
  "If points in that state can be restored, add the state to recovery:pointStates (if none is set: `pulumi config set recovery:pointStates <state>`)";

/** Says why the panel's list cannot be used, from the error of the request for the list. */
export function listUnread(error: unknown): Message {
  const { what, next, ...parts } = partsOf(error);
  return {
    ...parts,
    what: `the machine's list of recovery points could not be read: ${what}`,
    next: next === undefined ? lookAtThem : `${next}, or ${giveAnId}`,
    help: "point",
  };
}

export function ofOtherMachines(machines: readonly string[]): Message {
  return {
    what: `the machine's list of recovery points also contains points of other machines (${firstFew(machines)}), so the list cannot be trusted`,
    next: lookAtThem,
    help: "point",
  };
}

/** Says why no point was picked, and what to do. Ages are computed from `now`, the time by the panel's clock. */
export function whyNotPicked(why: NotPicked, now?: number): Message {
  switch (why.kind) {
    case "no points":
      return {
        what: "the panel lists no recovery points for this machine",
        next: "Make a backup, or check on the panel whether the points were deleted",
        help: "point",
      };
    case "no clock":
      return {
        what: "within is measured by the panel's clock, but the panel's response does not include the time",
        next: `Use before instead, or ${giveAnId}`,
        help: "point",
      };
    case "none fits":
      return {
        what: `none of the recovery points that the panel lists (${String(why.listed)}) can be restored and matches the rule`,
        next: why.nearest.some(({ usable }) => !usable) ? stateWord : `Change the rule, or ${giveAnId}`,
        lines: why.nearest.map((point) => namePoint(point, now)),
        help: "point",
      };
  }
}

/** Warnings about better points that were skipped because they cannot be restored, have no known time, or have a time in the future. */
export function passedOverWarnings({ point, passedOver }: Picked, { now, skipped }: PointList): string[] {
  const others = firstFew(passedOver.map((one) => namePoint(one, now)));
  const advice = passedOver.every(({ usable }) => usable) ? "" : `. ${stateWord}`;
  return [
    ...(passedOver.length === 0
      ? []
      : [`recovery point ${namePoint(point, now)} was chosen instead of ${others}${advice}`]),
    ...(skipped === 0 ? [] : [`points without an id were skipped: ${String(skipped)}`]),
  ];
}

/** The point with its state and its time, which show why a rule may not pick it. */
function namePoint(point: Point, now: number | undefined): string {
  const { id, state, takenAt, stamp } = point;
  const age = takenAt === undefined || now === undefined ? Number.NaN : now - Date.parse(takenAt);
  const old = age >= 0 ? `, ${formatDuration(Math.round(age / 60_000) * 60)} old` : "";
  const ahead =
    now !== undefined && isOfFuture(point, now) ? `, in the future by the panel's clock (${formatUtc(now)})` : "";
  const without = stamp ? `${stamp.slice(0, 60)}, no time zone` : "no time";
  const taken = takenAt === undefined ? without : `taken ${takenAt}${old}${ahead}`;
  return forTerminal(`${id} (${state === undefined ? "" : `${state.slice(0, 40)}, `}${taken})`);
}
