import type { PanelError } from "../../provider/panel/errors";
import { formatUtc, zoneOf } from "../../provider/plain/clock";
import { isOfFuture, otherMachines, type Point, type PointList, toPoints } from "../../provider/points/points";
import { RequestLimitError } from "../parts/guard";
import type { Survey } from "./survey";
import { count, some } from "../parts/words";
import { type CheckFinding, shortened, formatSpan } from "./result";
import { byFrequency, isSettable, configSetCommand } from "./words";

const code = "machine.points";

/** Findings on the machine's recovery points. Restores work without this list, so nothing here is a fault. */
export function pointFindings(survey: Survey): readonly CheckFinding[] {
  if (survey.machine === undefined || !("points" in survey.machine)) return [];
  const { points } = survey.machine;
  if ("error" in points) return [unreadableListFinding(points.error)];
  const others = otherMachines(points.page, survey.machine.id);
  if (others.length > 0) {
    return [
      {
        code,
        verdict: "question",
        says: `The list of its recovery points also holds points of other machines: ${some(others.map((id) => shortened(id, survey.redact)))}.`,
        why: "So nothing in that list can be relied on.",
        then: "Give restores a recoveryPointId, as seen on the panel.",
      },
    ];
  }
  const list = toPoints(points.page, survey.settings.pointStates);
  if (list.points.length === 0) {
    return [
      { code, verdict: "question", says: "It has no recovery points.", then: "Make a backup, then check again." },
    ];
  }
  return [
    newestPointFinding(list),
    ...stateFindings(list.points, survey),
    timesFinding(list.points),
    ...futureFindings(list, survey),
  ];
}

function unreadableListFinding(error: PanelError): CheckFinding {
  const why = error.message.replace(/\s+/g, " ");
  if (error.kind === "notFound") {
    const says = "This panel shows no list of its recovery points: restores need a recoveryPointId.";
    return { code, verdict: "fine", says, why };
  }
  if (error.kind === "cutShort") {
    const says = "The panel may have more recovery points of it than can be read.";
    return { code, verdict: "question", says, why, then: "Give restores a recoveryPointId, as seen on the panel." };
  }
  if (error instanceof RequestLimitError) {
    const says = "The list of its recovery points was not read to its end.";
    return { code, verdict: "question", says, why, then: "See with `pulumi-recovery ready`, which reads more." };
  }
  const then = "Give restores a recoveryPointId, or have the user's role allow it.";
  return {
    code,
    verdict: "question",
    says: "The list of its recovery points cannot be read.",
    why,
    ...(error.kind === "forbidden" && { then }),
  };
}

function newestPointFinding({ points, now }: PointList): CheckFinding {
  const usable = points.filter((point) => point.usable);
  const newest = usable.find((point) => point.takenAt !== undefined && !isOfFuture(point, now));
  const has = `It has ${count(points.length, "recovery point")}`;
  if (usable.length === 0) return { code, verdict: "question", says: `${has}, none of which can be restored.` };
  const { id = "", takenAt = "" } = newest ?? {};
  const age = now === undefined ? "" : `, ${formatSpan(Math.max(0, now - Date.parse(takenAt)) / 1_000)} old`;
  const which = newest === undefined ? "" : `; the newest of them is ${id}, taken ${takenAt}${age}`;
  return { code, verdict: "fine", says: `${has}, ${String(usable.length)} of which can be restored${which}.` };
}

function stateFindings(points: readonly Point[], { settings, redact }: Survey): readonly CheckFinding[] {
  const words = byFrequency(points.map(({ state }) => state));
  const listed = some(words.map(([word, rows]) => `${shortened(word, redact)} ${String(rows)}`));
  const unknown = byFrequency(points.filter(({ usable }) => !usable).map(({ state }) => state)).map(([word]) => word);
  const says = `States of its recovery points: ${listed === "" ? "none is given" : listed}.`;
  if (unknown.length === 0) return [{ code: "machine.point-states", verdict: "fine", says }];
  const settable = unknown.filter((word) => isSettable(word, redact)).slice(0, 8);
  return [
    {
      code: "machine.point-states",
      verdict: "question",
      says,
      why: `It is not known whether points in these states can be restored: ${some(unknown.map((word) => shortened(word, redact)))}.`,
      ...(settable.length > 0 && {
        then: "If they can, set (leave out those that cannot):",
        set: [configSetCommand("pointStates", [...settings.pointStates, ...settable])],
      }),
    },
  ];
}

function timesFinding(points: readonly Point[]): CheckFinding {
  const without = points.filter(({ takenAt }) => takenAt === undefined).length;
  if (without === 0) {
    const zone = zoneOf(points[0]?.stamp ?? "") ?? "none";
    return {
      code: "machine.point-times",
      verdict: "fine",
      says: `The times of its recovery points name their zone (${zone}).`,
    };
  }
  return {
    code: "machine.point-times",
    verdict: "question",
    says: `${without === points.length ? "No" : "Not every"} recovery point has a time that names its zone.`,
    why: "So the age of such a point is not known, nor which point is the newest.",
    then: "Give restores a recoveryPointId, as seen on the panel.",
  };
}

function futureFindings({ points, now }: PointList, { redact }: Survey): readonly CheckFinding[] {
  const future = points.filter((point) => isOfFuture(point, now));
  if (future.length === 0 || now === undefined) return [];
  const named = some(
    future.map(({ id, takenAt = "" }) => `${shortened(id, redact)} (${takenAt})`),
    3,
  );
  return [
    {
      code: "machine.future-points",
      verdict: "question",
      says: `${count(future.length, "recovery point is", "recovery points are")} stamped later than the panel's clock (${formatUtc(now)}): ${named}.`,
      why: "A rule passes over such a point, however new it is.",
      then: "Look which clock is wrong: the panel's, or that of its backups.",
    },
  ];
}
