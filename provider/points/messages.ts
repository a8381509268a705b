import { formatDuration } from "../inputs/duration";
import { formatUtc } from "../plain/clock";
import { firstFew, forTerminal } from "../plain/text";
import type { Picked, NotPicked } from "./pick-by-rule";
import { isOfFuture, type Point, type PointList } from "./points";

/** Why there is no list to choose from. */
export type ListUnavailable =
  | { readonly kind: "no list"; readonly errorText: string }
  | { readonly kind: "forbidden"; readonly errorText: string }
  | { readonly kind: "unread"; readonly errorText: string }
  | { readonly kind: "not whole"; readonly errorText: string }
  | { readonly kind: "other machines"; readonly machines: readonly string[] };

const giveAnId = "give recoveryPointId instead of recoveryPoint";
const stateWord = "Where points in such a state can be restored, put its word into recovery:pointStates.";

/** Why no point was chosen, and what to do; reads on after `nothing was sent: `. `now` is the panel's clock, for ages. */
export function notPickedText(why: (NotPicked & { readonly now?: number }) | ListUnavailable): string {
  switch (why.kind) {
    case "no list":
      return `the panel shows no list of recovery points for it. Check the machine's id, and recovery:apiVersion for a panel before 5.9. Where the panel has no such list, ${giveAnId}. ${why.errorText}`;
    case "forbidden":
      return `the panel does not let this user read the list of its recovery points. Have the user's role allow it, or ${giveAnId}. ${why.errorText}`;
    case "unread":
      return `the list of its recovery points could not be read. ${why.errorText}`;
    case "not whole":
      return `the panel may have more recovery points of it than can be read, and a better one among them: ${giveAnId}. ${why.errorText}`;
    case "other machines":
      return `the panel's list of its recovery points holds some of other machines (${firstFew(why.machines)}). Nothing in it can be relied on: ${giveAnId}.`;
    case "no points":
      return "the panel lists none for it. Make a backup, or see on the panel whether they were deleted.";
    case "no ids":
      return `none of the ${String(why.rows)} that the panel lists has an id. Look at them on the panel and ${giveAnId}.`;
    case "none usable":
      return `none that the panel lists can be restored: ${namePoints(why.points, why.now)}. ${stateWord}`;
    case "no times":
      return `none that can be restored has a time that names its zone: ${namePoints(why.points, why.now)}. Which of them is the right one is not guessed: ${giveAnId}.`;
    case "only future":
      return `the time of each that can be restored is still to come: ${namePoints(why.points, why.now)}.${panelClockText(why.now)} Look which clock is wrong, the panel's or that of the backups, or ${giveAnId}.`;
    case "no clock":
      return `within counts from the panel's clock, and its answer does not say what time it is. Use before instead, or ${giveAnId}.`;
    case "none fits":
      return `none of the ${String(why.usable)} that can be restored was taken then. Nearest to it: ${namePoints(why.nearest, why.now)}. Change the rule, or ${giveAnId}.`;
  }
}

/** What somebody should know of a choice: points that would have been taken, were they in order. */
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
    ...(skipped === 0 ? [] : [`${String(skipped)} that the panel lists without an id were passed over`]),
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
