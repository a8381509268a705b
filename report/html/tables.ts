import { triesSinceBack } from "../../provider/plan/verdict";
import type { Check, EarlierTry, Goal, NotCarriedOut, Report, Step, Wave } from "../model/model";
import { countText, marginText, durationText, numberText } from "../model/format";
import { chosenText, goalFor, goalsByKey, isAsPlanned, stepState, stepsOf } from "../model/summary";
import type { Links } from "./links";
import { foldableTable, type FoldableRow } from "./folding";
import {
  tones,
  statusWord,
  markup,
  type Markup,
  type Part,
  type Section,
  timeWithoutZone,
  columnHead,
  dash,
  section,
  subline,
  time,
} from "./parts";

export function restoresSection(report: Report, links: Links): Section | undefined {
  const steps = stepsOf(report);
  if (steps.length === 0) return undefined;
  const goals = goalsByKey(report);
  const compared = report.before !== undefined;
  const checked = steps.some(({ checks }) => checks.length > 0);
  const heads = [
    columnHead("Restore", "sticky"),
    columnHead("Result"),
    columnHead("Recovered in"),
    columnHead("Queued"),
    columnHead("Ran"),
    ...(checked ? [columnHead("Checked")] : []),
    columnHead("Data age"),
    columnHead("Requested, finished (UTC)"),
    columnHead("Recovery point (UTC)"),
    columnHead("Transaction"),
  ];
  const groups = report.waves
    .filter((wave) => wave.restores.length > 0)
    .map((wave) => {
      const rows = wave.restores.map((step): FoldableRow => ({
        markup: restoreRow(step, goals, checked, links),
        is: isAsPlanned(step, goals) ? "as planned" : "remarkable",
      }));
      const title = titleOf(wave);
      return { title, above: title === undefined ? undefined : waveRow(title, wave, heads.length), rows };
    });
  return section(
    "restores",
    "Restores",
    compared ? "Below each figure: its goal, and the figure of the run before." : undefined,
    foldableTable({ label: "Restores", heads, noun: "restore", foldedAs: "complete and as planned", groups }),
  );
}

export function titleOf({ name, index }: Wave): string | undefined {
  return name === undefined ? undefined : `Wave ${String(index + 1)}: ${name}`;
}

function waveRow(title: string, { startedAt, endedAt, state }: Wave, columns: number): Markup {
  const when =
    startedAt === undefined
      ? state
      : markup`waited for from ${time(startedAt)}${endedAt === undefined ? undefined : markup` to ${time(endedAt)}`}`;
  return markup`<tr class="wave"><th scope="rowgroup" class="sticky">${title}</th><td colspan="${columns - 1}" class="soft small">${when}</td></tr>`;
}

function restoreRow(step: Step, goals: ReadonlyMap<string, Goal>, checked: boolean, links: Links): Markup {
  const timeGoal = goalFor(goals, "recoveryTime", step.name);
  const ageGoal = goalFor(goals, "dataAge", step.name);
  const { before } = step;
  return markup`<tr id="${links.idOf(step)}"><th scope="row" class="sticky">${step.name}${subline(`${step.kind === "FileRestore" ? `${countText(step.paths?.length ?? 0, "path")} of machine` : "machine"} ${step.virtualMachineId}`)}</th>
<td>${statusWord(stepState(step))}${subline(checksLine(step.checks))}${step.adopted ? markup`<span class="tag">adopted</span>` : undefined}</td>
<td class="nowrap">${durationCell(step.recoveredSeconds)}${goalLine(timeGoal)}${earlierFigure(before, before?.recoveredSeconds)}</td>
<td class="nowrap">${durationCell(step.queuedSeconds)}</td><td class="nowrap">${durationCell(step.ranSeconds)}</td>${checked ? markup`<td class="nowrap">${durationCell(step.checkedSeconds)}</td>` : undefined}
<td class="nowrap">${durationCell(step.dataAgeSeconds)}${goalLine(ageGoal)}${earlierFigure(before, before?.dataAgeSeconds)}</td>
<td class="nowrap">${timeCell(step.requestedAt)}${timeBelow(step.finishedAt)}</td>
<td>${step.recoveryPointId}${timeBelow(step.recoveryPointTakenAt)}${subline(step.chosenBy && chosenText(step.chosenBy))}</td>
<td>${links.transactions(step.transactionIds)}</td></tr>
${(step.earlierTries ?? []).map((one, index) => tryRow(step, one, index, checked, links))}`;
}

function tryRow({ name, earlierTries }: Step, one: EarlierTry, index: number, checked: boolean, links: Links): Markup {
  const counts = triesSinceBack(earlierTries).includes(one);
  return markup`<tr class="try"><th scope="row" class="sticky">${name}${subline(`earlier try ${String(index + 1)}`)}</th>
<td>${statusWord(one.result)}${subline(failedChecksLine(one))}</td><td colspan="${checked ? 5 : 4}" class="soft small">${counts ? "counts in the recovery time" : "was back, and was restored again"}</td>
<td class="nowrap">${timeCell(one.requestedAt)}${timeBelow(one.finishedAt)}</td><td>${dash}</td>
<td>${links.transactions(one.transactionIds)}</td></tr>
`;
}

function durationCell(seconds: number | undefined): Part {
  return seconds === undefined ? dash : durationText(seconds);
}

function timeCell(iso: string | undefined): Part {
  return iso === undefined ? dash : timeWithoutZone(iso);
}

function timeBelow(iso: string | undefined): Part {
  return iso === undefined ? undefined : timeWithoutZone(iso, "sub nowrap");
}

function goalLine(goal: Goal | undefined): Markup | undefined {
  if (goal === undefined) return undefined;
  const rest = goal.marginSeconds === undefined ? undefined : markup`<br>${marginText(goal.marginSeconds)}`;
  const tone = goal.verdict === "met" ? "" : tones[goal.verdict];
  return markup`<span class="sub ${tone}">goal ${durationText(goal.targetSeconds)} ${goal.verdict}${rest}</span>`;
}

function earlierFigure(before: Step["before"], seconds: number | undefined): Markup | undefined {
  if (before === undefined) return undefined;
  return subline(`before: ${seconds === undefined ? "not measured" : durationText(seconds)}`);
}

function failedChecksLine({ failedChecks = [] }: EarlierTry): string | undefined {
  return failedChecks.length === 0 ? undefined : `${countText(failedChecks.length, "check")} not passed`;
}

function checksLine(checks: readonly Check[]): string | undefined {
  if (checks.length === 0) return undefined;
  const passed = checks.filter(({ result }) => result === "passed").length;
  return `${numberText(passed)} of ${countText(checks.length, "check")} passed`;
}

export function checksSection(report: Report, links: Links): Section | undefined {
  const all = stepsOf(report).flatMap((step) => step.checks.map((check) => ({ step, check })));
  if (all.length === 0) return undefined;
  const heads = [
    columnHead("Restore", "sticky"),
    columnHead("Check", "long"),
    columnHead("Result"),
    columnHead("Tries"),
    columnHead("Took"),
    columnHead("Allowed"),
  ];
  const rows = all.map(({ step, check }): FoldableRow => ({
    markup: markup`<tr><th scope="row" class="sticky">${links.toRow(step.name)}</th><td class="long">${check.name === undefined ? undefined : markup`${check.name}<br>`}${check.kind} <code>${check.target}</code>${subline(check.expects === undefined ? undefined : `expects ${check.expects}`)}${subline(check.reason)}${check.addedLater === true ? subline("added later, measured by itself") : undefined}</td><td>${statusWord(check.result)}</td><td>${check.tries ?? dash}</td><td class="nowrap">${durationCell(check.seconds)}</td><td class="nowrap">${durationCell(check.withinSeconds)}</td></tr>
`,
    is: check.result === "passed" ? "as planned" : "remarkable",
  }));
  return section(
    "checks",
    "Checks",
    "The runner made them after each restore had ended.",
    foldableTable({ label: "Checks", heads, noun: "check", foldedAs: "passed", groups: [{ rows }] }),
  );
}

export function notCarriedOutSection(report: Report, links: Links): Section | undefined {
  if (report.notCarriedOut.length === 0) return undefined;
  const heads = [
    columnHead("Restore", "sticky"),
    columnHead("Wave"),
    columnHead("Machine"),
    columnHead("Recovery point"),
    columnHead("What is known"),
    columnHead("Why", "long"),
  ];
  const rows = report.notCarriedOut.map((one): FoldableRow => ({ markup: missingRow(one, links), is: "remarkable" }));
  return section(
    "not-carried-out",
    "Not carried out, or not known",
    "All values are as planned. The panel may have carried out a restore whose outcome is not stored.",
    foldableTable({ label: "Not carried out, or not known", heads, noun: "restore", foldedAs: "", groups: [{ rows }] }),
  );
}

function missingRow(one: NotCarriedOut, links: Links): Markup {
  const { restore, wave, virtualMachineId, recoveryPointId, chosenBy, what, why } = one;
  return markup`<tr id="${links.idOf(one)}"><th scope="row" class="sticky">${restore}</th><td>${wave ?? dash}</td><td>${virtualMachineId}</td><td>${recoveryPointId}${subline(chosenBy && chosenText(chosenBy))}</td><td>${statusWord(what)}</td><td class="long">${why}</td></tr>
`;
}
