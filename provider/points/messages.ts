import { formatDuration } from "../inputs/duration";
import { formatUtc } from "../plain/clock";
import { firstFew, forTerminal } from "../plain/text";
import type { Picked, NotPicked } from "./pick-by-rule";
import { isOfFuture, type Point, type PointList } from "./points";

/** The reason why there is no usable list. */
export type ListUnavailable =
  | { readonly kind: "no list"; readonly errorText: string }
  | { readonly kind: "forbidden"; readonly errorText: string }
  | { readonly kind: "unread"; readonly errorText: string }
  | { readonly kind: "not whole"; readonly errorText: string }
  | { readonly kind: "other machines"; readonly machines: readonly string[] };

const giveAnId = "give recoveryPointId instead of recoveryPoint";
const stateWord = "If points in such a state can be restored, add the state to recovery:pointStates.";

/**
 * The reason for picking no point, and the next step. The text follows `nothing was sent: `. `now` is the panel's
 * clock, for ages.
 */
export function notPickedText(why: (NotPicked & { readonly now?: number }) | ListUnavailable): string {
  switch (why.kind) {
    case "no list":
      return `the panel shows no list of recovery points for this machine. Check the machine's id, and recovery:apiVersion for a panel before 5.9. If the panel has no such list, ${giveAnId}. ${why.errorText}`;
    case "forbidden":
      return `the panel does not let this user read the machine's list of recovery points. Let the user's role allow it, or ${giveAnId}. ${why.errorText}`;
    case "unread":
      return `the machine's list of recovery points could not be read. ${why.errorText}`;
    case "not whole":
      return `the panel may have more recovery points of this machine than it shows, and a better one among them: ${giveAnId}. ${why.errorText}`;
    case "other machines":
      return `the machine's list of recovery points also holds points of other machines (${firstFew(why.machines)}), so nothing in it is reliable. To restore, ${giveAnId}.`;
    case "no points":
      return "the panel lists no recovery point of this machine. Make a backup, or check on the panel if the points were deleted.";
    case "no ids":
      return `the panel lists ${String(why.rows)} without an id, and none with one. Look at them on the panel and ${giveAnId}.`;
    case "none usable":
      return `the panel lists none that can be restored: ${namePoints(why.points, why.now)}. ${stateWord}`;
    case "no times":
      return `none that can be restored has a time that names its zone: ${namePoints(why.points, why.now)}. The right point is not guessed: ${giveAnId}.`;
    case "only future":
      return `the time of each that can be restored is still to come: ${namePoints(why.points, why.now)}.${panelClockText(why.now)} Check which clock is wrong, the panel's or the backups', or ${giveAnId}.`;
    case "no clock":
      return `within counts from the panel's clock, but the panel's answer does not include the time. Use before instead, or ${giveAnId}.`;
    case "none fits":
      return `none of the ${String(why.usable)} that can be restored was taken then. The nearest: ${namePoints(why.nearest, why.now)}. Change the rule, or ${giveAnId}.`;
  }
}

/** Warnings about better points that were skipped because they cannot be restored, or have no known time. */
export function passedOverWarnings({ point, passedOver }: Picked, { now, skipped }: PointList): string[] {
  const unusable = passedOver.filter(({ usable }) => !usable);
  const future = passedOver.filter((one) => one.usable && isOfFuture(one, now));
  const untimed = passedOver.filter((one) => one.usable && !future.includes(one));
  const chosen = namePoints([point], now);
  const notTaken = (others: readonly Point[], why: string): string[] =>
    others.length === 0 ? [] : [`recovery point ${chosen} was chosen, and not ${namePoints(others, now)}${why}`];
  return [
    ...notTaken(unusable, `. ${stateWord}`),
    ...notTaken(future, `: that time is still to come.${panelClockText(now)}`),
    ...notTaken(untimed, ": no time that names its zone"),
    ...(skipped === 0 ? [] : [`points without an id were passed over: ${String(skipped)}`]),
  ];
}

function panelClockText(now: number | undefined): string {
  return now === undefined ? "" : ` By the panel's clock it is ${formatUtc(now)}.`;
}

function namePoints(points: readonly Point[], now: number | undefined): string {
  return firstFew(points.map((point) => `${point.id} (${describePoint(point, now)})`));
}

function describePoint({ state, takenAt, stamp }: Point, now: number | undefined): string {
  const age = takenAt === undefined || now === undefined ? Number.NaN : now - Date.parse(takenAt);
  const old = age >= 0 ? `, ${formatDuration(Math.round(age / 60_000) * 60)} old` : "";
  const taken = takenAt === undefined ? (stamp ?? "no time") : `taken ${takenAt}${old}`;
  return forTerminal(`${state === undefined ? "" : `${state.slice(0, 40)}, `}${taken.slice(0, 60)}`);
}
