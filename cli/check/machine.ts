import { howToAllow } from "../../provider/inputs/settings";
import type { PanelError } from "../../provider/panel/errors";
import type { ListedPoint, ListedLogItem, MachineId, Page } from "../../provider/panel/types";
import { firstFew } from "../../provider/plain/text";
import { isOfFuture, otherMachines, toPoints } from "../../provider/points/points";
import { mayBeRestore } from "../../provider/rows/jobs";
import { namedTransactions } from "../../provider/restore/machine-log";
import { busyJobs } from "../parts/read-machine";
import { count } from "../parts/words";
import { type CheckFinding, shortened } from "./result";
import { type Survey, type SurveyedList } from "./survey";
import { byFrequency, isSettable, wordsLine } from "./words";

/** What is known about the machine given with `--machine`: its log, its jobs and its recovery points. */
export function machineFindings(survey: Survey & { readonly list: SurveyedList }): readonly CheckFinding[] {
  const { machine } = survey;
  if (machine === undefined) return [];
  const { id } = machine;
  if ("whyNotAllowed" in machine) {
    const says = `These settings do not allow machine ${id} to be restored, so the panel was not queried for it.`;
    const why = `M${machine.whyNotAllowed.slice(1)}.`;
    return [{ code: "machine.not-allowed", verdict: "fault", says, why, then: `${howToAllow}.` }];
  }
  if ("error" in machine.log) return [noLogFinding(id, machine.log.error)];
  return [
    logFinding(id, machine.log.items),
    ...busyFindings(id, survey),
    ...(machine.points === undefined
      ? []
      : "error" in machine.points
        ? [noPointsFinding(machine.points.error)]
        : pointFindings(id, machine.points.page, survey)),
  ];
}

function noLogFinding(id: string, error: PanelError): CheckFinding {
  const why = error.message;
  if (error.kind !== "notFound") {
    const verdict = error.kind === "aborted" ? "question" : "fault";
    return { code: "machine.log", verdict, says: `The log of machine ${id} cannot be read.`, why };
  }
  return {
    code: "machine.unknown",
    verdict: "fault",
    says: `The panel does not know machine ${id}, or does not show it to this user.`,
    why,
    then: "Use the id in the machine's URL on the panel: restores are posted to that id.",
  };
}

function logFinding(id: string, items: readonly ListedLogItem[]): CheckFinding {
  const named = namedTransactions(items).length;
  const says = `Machine ${id} exists; its log has ${count(items.length, "item")}, ${String(named)} of which ${named === 1 ? "names a transaction" : "name transactions"}.`;
  if (named > 0) return { code: "machine.log", verdict: "fine", says };
  return { code: "machine.log", verdict: "fine", says, why: "The log does not name the machine's transactions." };
}

function busyFindings(id: string, { list }: { readonly list: SurveyedList }): readonly CheckFinding[] {
  const busy = busyJobs({ rows: list.rows, panelTime: list.top.panelTime }, id);
  if (busy.length === 0) return [];
  const jobs = busy.map(({ rows: [row] }) => `${shortened(row.action ?? "no action")} (${row.id})`);
  const says = `Unfinished on machine ${id}: ${firstFew(jobs)}.`;
  const why = "A restore waits up to timeouts.busy for this work to end.";
  const then = busy.some(({ rows }) => rows.some(mayBeRestore))
    ? "It may be your own restore, from a run that is under way or was killed: `pulumi-recovery status` shows it. Don't cancel it."
    : "If a job is stuck, cancel it on the panel.";
  return [{ code: "machine.busy", verdict: "question", says, why, then }];
}

const giveId = "In restores, set recoveryPointId to an id shown on the panel.";

function noPointsFinding(error: PanelError): CheckFinding {
  const code = "machine.points";
  if (error.kind === "notFound") {
    const says = "This panel lists no recovery points, so restores need a recoveryPointId.";
    return { code, verdict: "fine", says };
  }
  const says = "The machine's list of recovery points cannot be read.";
  return { code, verdict: "question", says, why: error.message, then: giveId };
}

/** Restores with a recoveryPointId work without this list, so nothing here is a fault. */
function pointFindings(id: string, page: Page<ListedPoint>, { settings }: Survey): readonly CheckFinding[] {
  const question = (code: `machine.${string}`, says: string, more: Partial<CheckFinding>): CheckFinding => ({
    code,
    verdict: "question",
    says,
    ...more,
  });
  const others = otherMachines(page, id as MachineId);
  if (others.length > 0) {
    const says = `The machine's list of recovery points also contains points of other machines (${firstFew(others)}), so the list cannot be trusted.`;
    return [question("machine.points", says, { then: giveId })];
  }
  const { points, now } = toPoints(page, settings.pointStates);
  const usable = points.filter((point) => point.usable);
  const timed = usable.filter((point) => point.takenAt !== undefined && !isOfFuture(point, now));
  const newest =
    timed[0] === undefined ? "" : `; the newest of these is ${timed[0].id}, taken ${timed[0].takenAt ?? ""}`;
  const says = `The machine has ${count(points.length, "recovery point")}, ${String(usable.length)} of which can be restored${newest}.`;
  const verdict = usable.length === 0 ? "question" : "fine";
  const findings: CheckFinding[] = [{ code: "machine.points", verdict, says }];
  const unknown = byFrequency(points.filter((one) => !one.usable).map(({ state }) => state)).map(([word]) => word);
  const settable = unknown.filter(isSettable);
  if (unknown.length > 0) {
    const words = firstFew(unknown.map(shortened));
    const set =
      settable.length === 0 ? {} : { set: [wordsLine("pointStates", [...settings.pointStates, ...settable])] };
    const then = "If they can, run this (leave out any states whose points cannot be restored):";
    const states = `It is not known whether points in these states can be restored: ${words}.`;
    findings.push(question("machine.point-states", states, { then, ...set }));
  }
  if (timed.length < usable.length) {
    const without = `For ${String(usable.length - timed.length)} of them, the time is missing, has no time zone or is in the future, so no rule chooses them.`;
    findings.push(question("machine.point-times", without, { then: giveId }));
  }
  return findings;
}
