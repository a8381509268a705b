import { ruleText, type PointRule } from "../../provider/inputs/read-point-rule";
import type { MachineId } from "../../provider/panel/types";
import { pickByRule, type NotPicked } from "../../provider/points/pick-by-rule";
import { passedOverWarnings, notPickedText } from "../../provider/points/messages";
import { isOfFuture, otherMachines, toPoints, type Point, type PointList } from "../../provider/points/points";
import { RequestLimitError } from "../parts/guard";
import type { MachineReading } from "../parts/read-machine";
import { firstFew } from "../../provider/plain/text";
import { count, duration, roughly } from "../parts/words";
import type { ReadyFinding, FindingVerdict } from "./result";

/** The recovery point that a restore would use now. */
export interface PointSource {
  readonly pointId?: string;
  readonly takenAt?: string;
  readonly ageSeconds?: number;
  /** Why a usable point has no age. */
  readonly withoutAge?: Pick<ReadyFinding, "code" | "short" | "says">;
  readonly findings: readonly ReadyFinding[];
}

/** Finds the point, or the one that the rule chooses, in the list of the machine's recovery points. */
export function pointSourceFrom(
  from: string | PointRule,
  machine: MachineId,
  read: NonNullable<MachineReading["points"]>,
  stateWords: readonly string[],
): PointSource {
  const named = typeof from === "string" ? { pointId: from } : {};
  if ("error" in read) return { ...named, findings: [unreadableListFinding(read.error, machine)] };
  const others = otherMachines(read.page, machine);
  if (others.length > 0) {
    return {
      ...named,
      findings: [
        {
          code: "points.other-machines",
          verdict: "cannot be judged",
          short: "points of others listed",
          says: `The list of recovery points of machine ${machine} also holds points of other machines (${firstFew(others)}), so nothing in it can be relied on.`,
        },
      ],
    };
  }
  const list = toPoints(read.page, stateWords);
  return typeof from === "string" ? fromNamed(from, machine, list) : fromRule(from, machine, list);
}

/** Reports data that is older than the goal, or of unknown age. */
export function goalFindings(
  { ageSeconds, withoutAge: ageless }: PointSource,
  goalSeconds: number | undefined,
): readonly ReadyFinding[] {
  if (goalSeconds === undefined) return ageless?.code === "points.future" ? [{ ...ageless, verdict: "warning" }] : [];
  if (ageSeconds === undefined)
    return ageless === undefined ? [] : [{ ...ageless, verdict: "cannot be judged", then: "Look at it on the panel." }];
  if (ageSeconds <= goalSeconds) return [];
  return [
    {
      code: "point.too-old",
      verdict: "not ready",
      short: "older than the goal",
      says: `Its data would be ${roughly(ageSeconds)} old, and the goal is ${duration(goalSeconds)}.`,
      then: "Look on the panel if backups are still made, and restore from a newer one. If one is passed over, `ready --json` says why.",
    },
  ];
}

function unreadableListFinding(
  error: Extract<NonNullable<MachineReading["points"]>, { error: unknown }>["error"],
  machine: string,
): ReadyFinding {
  const finding = (code: string, short: string, says: string, then?: string): ReadyFinding => ({
    code,
    verdict: "cannot be judged",
    short,
    says: `${says} ${error.message}`,
    ...(then !== undefined && { then }),
  });
  if (error.kind === "notFound") {
    return finding(
      "points.no-list",
      "no list of points",
      `The panel shows no list of recovery points for machine ${machine}.`,
      "Look at the panel itself. If it has no such list, accept this question in recovery-known.json.",
    );
  }
  if (error.kind === "forbidden") {
    return finding(
      "points.forbidden",
      "points forbidden",
      `The panel does not let this user read the recovery points of machine ${machine}.`,
      "Have the user's role allow it.",
    );
  }
  if (error.kind === "cutShort") {
    return finding(
      "points.not-whole",
      "list not whole",
      `The panel may have more recovery points of machine ${machine} than can be read.`,
      "Look on the panel which it has, and name one: `recoveryPointId`.",
    );
  }
  if (error instanceof RequestLimitError) {
    const says = `The recovery points of machine ${machine} were not read to their end.`;
    return finding("points.unread", "limit of requests", says);
  }
  return finding("points.unread", "points not read", `The recovery points of machine ${machine} could not be read.`);
}

function fromNamed(id: string, machine: MachineId, list: PointList): PointSource {
  const point = list.points.find((one) => one.id === id);
  if (point !== undefined) return { ...withAge(point, list), findings: point.usable ? [] : [unusableFinding(point)] };
  if (list.skipped > 0) {
    return {
      pointId: id,
      findings: [
        {
          code: "points.no-ids",
          verdict: "cannot be judged",
          short: "points without ids",
          says: `Recovery point ${id} is not listed, but the list of machine ${machine} has ${count(list.skipped, "point")} without an id.`,
        },
      ],
    };
  }
  return {
    pointId: id,
    findings: [
      {
        code: "point.gone",
        verdict: "not ready",
        short: `point ${id} is gone`,
        says: `Recovery point ${id} of machine ${machine} is no longer listed: perhaps it was too old to be kept.`,
        then: "Name another one, or let a rule choose it: `recoveryPoint`.",
      },
    ],
  };
}

function unusableFinding({ id, state = "" }: Point): ReadyFinding {
  return {
    code: "point.unusable",
    verdict: "not ready",
    short: `point is ${state}`,
    says: `Recovery point ${id} is ${state}. It is not known whether a point in this state can be restored.`,
    then: "Name another one. If points in this state can be restored, add the word to recovery:pointStates.",
  };
}

function fromRule(rule: PointRule, machine: MachineId, list: PointList): PointSource {
  // A random choice has to be good for the oldest point as well.
  const isChance = rule.pick === "random";
  const found = pickByRule(list, isChance ? { ...rule, pick: "oldest" } : rule, () => 0);
  if (found.kind !== "chosen") {
    const now = list.now === undefined ? {} : { now: list.now };
    const { code, verdict, short } = refusalFindings[found.kind];
    const says = `No recovery point of machine ${machine} fits (${ruleText(rule)}): ${notPickedText({ ...found, ...now })}`;
    return { findings: [{ code, verdict, short, says }] };
  }
  if (isChance) {
    const { takenAt, ageSeconds, withoutAge: ageless } = withAge(found.point, list);
    return {
      ...(takenAt !== undefined && { takenAt }),
      ...(ageSeconds !== undefined && { ageSeconds }),
      ...(ageless !== undefined && { withoutAge: ageless }),
      findings: [],
    };
  }
  return {
    ...withAge(found.point, list),
    findings: passedOverWarnings(found, list).map((text) => ({
      code: "point.passed-over",
      verdict: "warning",
      short: "one is passed over",
      says: `Of machine ${machine}, ${text}.`.replace(/\.\.$/, "."),
    })),
  };
}

const refusalFindings: Readonly<
  Record<NotPicked["kind"], { readonly code: string; readonly verdict: FindingVerdict; readonly short: string }>
> = {
  "no points": { code: "point.none", verdict: "not ready", short: "no recovery point" },
  "none usable": { code: "point.none-usable", verdict: "not ready", short: "no usable point" },
  "none fits": { code: "point.none-fits", verdict: "not ready", short: "no point within the rule" },
  "no ids": { code: "points.no-ids", verdict: "cannot be judged", short: "points without ids" },
  "no times": { code: "points.no-times", verdict: "cannot be judged", short: "times name no zone" },
  "only future": { code: "points.future", verdict: "cannot be judged", short: "taken in the future" },
  "no clock": { code: "points.no-clock", verdict: "cannot be judged", short: "panel gives no time" },
};

function withAge(point: Point, { now }: PointList): Omit<PointSource, "findings"> {
  const { id, takenAt } = point;
  if (takenAt === undefined) {
    const says = `The time of recovery point ${id} names no zone, so its age is not known.`;
    return { pointId: id, withoutAge: { code: "points.no-times", short: "times name no zone", says } };
  }
  const known = { pointId: id, takenAt };
  if (now === undefined) {
    const says = `The panel's answer does not give its time, so the age of recovery point ${id} is not known.`;
    return { ...known, withoutAge: { code: "points.no-clock", short: "panel gives no time", says } };
  }
  if (isOfFuture(point, now)) {
    const says = `Recovery point ${id} was taken at ${takenAt}, which is in the future by the panel's clock.`;
    return { ...known, withoutAge: { code: "points.future", short: "taken in the future", says } };
  }
  return { ...known, ageSeconds: Math.max(0, Math.round((now - Date.parse(takenAt)) / 1_000)) };
}
