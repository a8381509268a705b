import { afterIncidentText } from "../../drills/judge/goals";
import { isAgeUnmeasurable } from "../../drills/judge/judge";
import type { Goals, PlanRestore } from "../../drills/judge/stored";
import { formatDuration } from "../../provider/inputs/duration";
import { ruleText, type PointRule } from "../../provider/inputs/read-point-rule";
import type { PanelErrorKind } from "../../provider/panel/errors";
import type { MachineId } from "../../provider/panel/types";
import { secondsBetween } from "../../provider/plain/clock";
import { firstFew } from "../../provider/plain/text";
import { pickByRule, type NotPicked } from "../../provider/points/pick-by-rule";
import { passedOverWarnings, whyNotPicked } from "../../provider/points/messages";
import {
  isKnownUnusable,
  isOfFuture,
  otherMachines,
  toPoints,
  type Point,
  type PointList,
} from "../../provider/points/points";
import type { MachineReading } from "../parts/read-machine";
import { count, roughly } from "../parts/words";
import { finding, notReady, question, type FindingVerdict, type ReadyFinding } from "./result";
import { omitUndefined } from "../../provider/plain/plain";

/** The recovery point that a restore would use now. */
export interface PointSource {
  readonly pointId?: string;
  readonly takenAt?: string;
  readonly ageSeconds?: number;
  /** Why the age of a usable point is unknown. */
  readonly withoutAge?: Pick<ReadyFinding, "code" | "short" | "says">;
  readonly findings: readonly ReadyFinding[];
}

/** Finds the given point, or the point that the rule chooses, in the machine's list of recovery points. */
export function pointSourceFrom(
  from: string | PointRule,
  machine: MachineId,
  read: NonNullable<MachineReading["points"]>,
  stateWords: readonly string[],
  incidentAt: string | undefined,
  isAnyListed: boolean,
): PointSource {
  const named = typeof from === "string" ? { pointId: from } : {};
  if ("error" in read) return { ...named, findings: [unreadableFinding(read.error, machine, from)] };
  const others = otherMachines(read.page, machine);
  if (others.length > 0) {
    const says = `The list of recovery points of machine ${machine} also contains points of other machines (${firstFew(others)}), so the list cannot be trusted.`;
    return { ...named, findings: [question("points.other-machines", "lists other machines' points", says)] };
  }
  const list = { ...toPoints(read.page, stateWords), incidentAt, isAnyListed };
  return typeof from === "string" ? fromNamed(from, machine, list) : fromRule(from, machine, list);
}

/** Reports a point that was taken after the incident, according to the program or the panel. A run that restores it is incomplete. */
export function incidentFindings(incidentAt?: string, ...taken: (string | undefined)[]): readonly ReadyFinding[] {
  const [tooLate] = taken.map((stamp) => afterIncidentText(stamp, incidentAt)).filter((text) => text !== undefined);
  if (tooLate === undefined) return [];
  const says = `Its recovery point was ${tooLate}, so its run would be incomplete.`;
  const then = "Restore from a point taken before the incident.";
  return [notReady("point.after-incident", "after the incident", says, then)];
}

/** Reports a data age goal that the run cannot measure, although the panel's list may show the age. */
export function unmeasurableFindings(planned: PlanRestore | undefined, goals: Goals): readonly ReadyFinding[] {
  if (planned === undefined || !isAgeUnmeasurable(planned, goals)) return [];
  const says =
    "Its data age goal cannot be measured, because the program does not say when its recovery point was taken.";
  const then = "Set `recoveryPointTakenAt`, or use a rule instead of `recoveryPointId`.";
  return [{ code: "goal.not-measurable", verdict: "warning", short: "data age not measurable", says, then }];
}

/** Reports data that is older than the goal, or whose age is unknown. */
export function goalFindings(
  { ageSeconds, withoutAge }: PointSource,
  goalSeconds: number | undefined,
): readonly ReadyFinding[] {
  if (withoutAge !== undefined && goalSeconds !== undefined)
    return [{ ...withoutAge, verdict: "cannot be judged", then: "Check the point on the panel." }];
  if (withoutAge?.code === "points.future") return [{ ...withoutAge, verdict: "warning" }];
  if (goalSeconds === undefined || ageSeconds === undefined || ageSeconds <= goalSeconds) return [];
  return [
    notReady(
      "point.too-old",
      "older than the goal",
      `Its data would be ${roughly(ageSeconds)} old, but the goal is ${formatDuration(goalSeconds)}.`,
      "Check on the panel that backups are still being made, and restore from a newer point. If a newer point was skipped, `ready --json` says why.",
    ),
  ];
}

type PointsError = Extract<NonNullable<MachineReading["points"]>, { error: unknown }>["error"];

const unreadable: Readonly<
  Partial<Record<PanelErrorKind, readonly [code: string, short: string, says: string, then: string]>>
> = {
  forbidden: [
    "points.forbidden",
    "points forbidden",
    "does not let this user read the recovery points",
    "Allow this in the user's role.",
  ],
  notWhole: [
    "points.not-whole",
    "list incomplete",
    "may not have listed all recovery points",
    "Look up its points on the panel, and set one as `recoveryPointId`.",
  ],
};

function unreadableFinding(error: PointsError, machine: string, from: string | PointRule): ReadyFinding {
  if (error.kind === "notFound") {
    const [unknown, instead] =
      typeof from === "string"
        ? [`point ${from} can still be restored`, "accept this question in recovery-known.json"]
        : ["a point can be chosen", "set `recoveryPointId` instead of a rule"];
    const says = `The panel lists no recovery points of machine ${machine} (status 404), so it is not known whether ${unknown}.`;
    return question("points.no-list", "no list of points", says, `If the panel has no such list, ${instead}.`);
  }
  const [code, short, says, then] = unreadable[error.kind] ?? [
    "points.unread",
    "points not read",
    "did not show the recovery points",
  ];
  return question(code, short, `The panel ${says} for machine ${machine}. ${error.message}`, then);
}

type Listed = PointList & { readonly incidentAt: string | undefined; readonly isAnyListed: boolean };

function fromNamed(id: string, machine: MachineId, list: Listed): PointSource {
  const point = list.points.find((one) => one.id === id);
  if (point !== undefined) return { ...withAge(point, list), findings: point.usable ? [] : [unusableFinding(point)] };
  if (list.skipped > 0) {
    const says = `Recovery point ${id} is not listed, but the list for machine ${machine} has ${count(list.skipped, "point")} without an id.`;
    return { pointId: id, findings: [question("points.no-ids", "points without ids", says)] };
  }
  if (!list.isAnyListed) {
    const says = `The panel lists no recovery points for any machine, so it is not known whether point ${id} of machine ${machine} exists.`;
    const then = "If the panel never lists any, accept this question in recovery-known.json.";
    return { pointId: id, findings: [question("points.none", "no points listed", says, then)] };
  }
  const says = `Recovery point ${id} of machine ${machine} is not listed: it never existed, or was removed.`;
  const then = "Set another point, or let a rule choose one with `recoveryPoint`.";
  return { pointId: id, findings: [notReady("point.gone", "the point is gone", says, then)] };
}

function unusableFinding({ id, state = "" }: Point): ReadyFinding {
  const judge = isKnownUnusable(state) ? notReady : question;
  return judge(
    "point.unusable",
    `point in state ${state}`,
    `Recovery point ${id} is in the state ${state}. It is not known whether a point in this state can be restored.`,
    "Set another point. If points in this state can be restored, add the word to recovery:pointStates.",
  );
}

function fromRule(rule: PointRule, machine: MachineId, list: Listed): PointSource {
  // A random rule may choose any point, so the oldest point counts as the worst case.
  const isChance = rule.pick === "random";
  const found = pickByRule(list, isChance ? { ...rule, pick: "oldest" } : rule, () => 0);
  if (found.kind !== "chosen") {
    const [code, verdict, short] = refusals[found.kind];
    const { what, lines = [], next: then } = whyNotPicked(found, list.now);
    const reason = [what, ...lines.slice(0, 5)].join("; ");
    const says = `No recovery point of machine ${machine} can be chosen (${ruleText(rule)}): ${reason}.`;
    return { findings: [finding(verdict)(code, short, says, then && `${then}.`)] };
  }
  const { pointId, ...chosen } = withAge(found.point, list);
  if (isChance) return { ...chosen, findings: [] };
  const warnings = passedOverWarnings(found, list).map((text) =>
    finding("warning")("point.passed-over", "a newer point was skipped", `For machine ${machine}, ${text}`),
  );
  return { ...chosen, ...omitUndefined({ pointId }), findings: warnings };
}

const refusals: Readonly<Record<NotPicked["kind"], readonly [code: string, verdict: FindingVerdict, short: string]>> = {
  "no points": ["point.none", "not ready", "no recovery point"],
  "none fits": ["point.none-fits", "not ready", "no point matches the rule"],
  "no clock": ["points.no-clock", "cannot be judged", "no panel time"],
};

/** The point's age at the time of the incident, as in the verdict, or now if there is no incident. A point taken after the incident has no age. */
function withAge(point: Point, { now, incidentAt }: Listed): Omit<PointSource, "findings"> {
  const { id: pointId, takenAt } = point;
  const ageless = (code: string, short: string, says: string): Omit<PointSource, "findings"> => ({
    pointId,
    ...omitUndefined({ takenAt }),
    withoutAge: { code, short, says: `${says}, so the age of recovery point ${pointId} is not known.` },
  });
  if (takenAt === undefined) return ageless("points.no-times", "no time zone", "Its timestamp has no time zone");
  if (isOfFuture(point, now))
    return ageless(
      "points.future",
      "taken in the future",
      `It was taken at ${takenAt}, in the future by the panel's clock`,
    );
  if (incidentAt !== undefined)
    return omitUndefined({ pointId, takenAt, ageSeconds: secondsBetween(takenAt, incidentAt) });
  if (now === undefined)
    return ageless("points.no-clock", "no panel time", "The panel's response does not include the time");
  return { pointId, takenAt, ageSeconds: Math.max(0, Math.round((now - Date.parse(takenAt)) / 1_000)) };
}
