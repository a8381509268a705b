import type { Check, EarlierTry, Goal, NotCarriedOut, Report, Step, Wave } from "../model/model";
import { count, margin, spoken } from "../model/show";
import { chosenText, goalFor, goalsByKey, isAsPlanned, standingOf, stepsOf } from "../model/summary";
import type { Links } from "./links";
import { longTable, type FoldableRow } from "./folding";
import {
  tones,
  word,
  markup,
  type Markup,
  type Part,
  type Section,
  clock,
  head,
  none,
  section,
  sub,
  time,
} from "./parts";

export function restores(report: Report, links: Links): Section | undefined {
  const steps = stepsOf(report);
  if (steps.length === 0) return undefined;
  const goals = goalsByKey(report);
  const compared = report.before !== undefined;
  const checked = steps.some(({ checks }) => checks.length > 0);
  const heads = [
    head("Restore", "sticky"),
    head("Result"),
    head("Recovered in"),
    head("Queued"),
    head("Ran"),
    ...(checked ? [head("Checked")] : []),
    head("Data age"),
    head("Requested, finished (UTC)"),
    head("Recovery point (UTC)"),
    head("Transaction"),
  ];
  const groups = report.waves
    .filter((wave) => wave.restores.length > 0)
    .map((wave) => {
      const rows = wave.restores.map((step): FoldableRow => ({
        markup: row(step, goals, checked, links),
        is: isAsPlanned(step, goals) ? "as planned" : "remarkable",
      }));
      const title = titleOf(wave);
      return { title, above: title === undefined ? undefined : waveRow(title, wave, heads.length), rows };
    });
  return section(
    "restores",
    "Restores",
    compared ? "Below each figure its goal, and what the run before measured." : undefined,
    longTable({ label: "Restores", heads, of: "restore", folded: "complete and as planned", groups }),
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

function row(step: Step, goals: ReadonlyMap<string, Goal>, checked: boolean, links: Links): Markup {
  const timeGoal = goalFor(goals, "recoveryTime", step.name);
  const ageGoal = goalFor(goals, "dataAge", step.name);
  const { before } = step;
  return markup`<tr id="${links.idOf(step)}"><th scope="row" class="sticky">${step.name}${sub(`${step.kind === "FileRestore" ? `${count(step.paths?.length ?? 0, "path")} of machine` : "machine"} ${step.virtualMachineId}`)}</th>
<td>${word(standingOf(step))}${sub(checksLine(step.checks))}${step.adopted ? markup`<span class="tag">adopted</span>` : undefined}</td>
<td class="nowrap">${amount(step.recoveredSeconds)}${goalLine(timeGoal)}${earlier(before, before?.recoveredSeconds)}</td>
<td class="nowrap">${amount(step.queuedSeconds)}</td><td class="nowrap">${amount(step.ranSeconds)}</td>${checked ? markup`<td class="nowrap">${amount(step.checkedSeconds)}</td>` : undefined}
<td class="nowrap">${amount(step.dataAgeSeconds)}${goalLine(ageGoal)}${earlier(before, before?.dataAgeSeconds)}</td>
<td class="nowrap">${at(step.requestedAt)}${below(step.finishedAt)}</td>
<td>${step.recoveryPointId}${below(step.recoveryPointTakenAt)}${sub(step.chosenBy && chosenText(step.chosenBy))}</td>
<td>${links.transactions(step.transactionIds)}</td></tr>
${(step.earlierTries ?? []).map((one, index) => tryRow(step, one, index, checked, links))}`;
}

function tryRow({ name }: Step, one: EarlierTry, index: number, checked: boolean, links: Links): Markup {
  return markup`<tr class="try"><th scope="row" class="sticky">${name}${sub(`earlier try ${String(index + 1)}`)}</th>
<td>${word(one.result)}</td><td colspan="${checked ? 5 : 4}" class="soft small">in the time it took to recover</td>
<td class="nowrap">${at(one.requestedAt)}${below(one.finishedAt)}</td><td>${none}</td>
<td>${links.transactions(one.transactionIds)}</td></tr>
`;
}

function amount(seconds: number | undefined): Part {
  return seconds === undefined ? none : spoken(seconds);
}

function at(iso: string | undefined): Part {
  return iso === undefined ? none : clock(iso);
}

function below(iso: string | undefined): Part {
  return iso === undefined ? undefined : clock(iso, "sub nowrap");
}

function goalLine(goal: Goal | undefined): Markup | undefined {
  if (goal === undefined) return undefined;
  const rest = goal.marginSeconds === undefined ? undefined : markup`<br>${margin(goal.marginSeconds)}`;
  const tone = goal.verdict === "met" ? "" : tones[goal.verdict];
  return markup`<span class="sub ${tone}">goal ${spoken(goal.targetSeconds)} ${goal.verdict}${rest}</span>`;
}

function earlier(before: Step["before"], seconds: number | undefined): Markup | undefined {
  if (before === undefined) return undefined;
  return sub(`before: ${seconds === undefined ? "not measured" : spoken(seconds)}`);
}

function checksLine(checks: readonly Check[]): string | undefined {
  if (checks.length === 0) return undefined;
  const passed = checks.filter(({ result }) => result === "passed").length;
  return `${String(passed)} of ${count(checks.length, "check")} passed`;
}

export function checks(report: Report, links: Links): Section | undefined {
  const all = stepsOf(report).flatMap((step) => step.checks.map((check) => ({ step, check })));
  if (all.length === 0) return undefined;
  const heads = [
    head("Restore", "sticky"),
    head("What it asked", "long"),
    head("Result"),
    head("Tries"),
    head("Took"),
    head("Allowed"),
  ];
  const rows = all.map(({ step, check }): FoldableRow => ({
    markup: markup`<tr><th scope="row" class="sticky">${links.toRow(step.name)}</th><td class="long">${check.kind} <code>${check.target}</code>${sub(check.expects === undefined ? undefined : `expects ${check.expects}`)}${sub(check.reason)}${check.addedLater === true ? sub("added later, measured by itself") : undefined}</td><td>${word(check.result)}</td><td>${check.tries ?? none}</td><td class="nowrap">${amount(check.seconds)}</td><td class="nowrap">${amount(check.withinSeconds)}</td></tr>
`,
    is: check.result === "passed" ? "as planned" : "remarkable",
  }));
  return section(
    "checks",
    "Checks",
    "Run by the runner after a restore had ended.",
    longTable({ label: "Checks", heads, of: "check", folded: "passed", groups: [{ rows }] }),
  );
}

export function notCarriedOut(report: Report, links: Links): Section | undefined {
  if (report.notCarriedOut.length === 0) return undefined;
  const heads = [
    head("Restore", "sticky"),
    head("Wave"),
    head("Machine"),
    head("Recovery point"),
    head("What is known"),
    head("Why", "long"),
  ];
  const rows = report.notCarriedOut.map((one): FoldableRow => ({ markup: absent(one, links), is: "remarkable" }));
  return section(
    "not-carried-out",
    "Not carried out, or not known",
    "As planned. A restore whose outcome is not stored may have been carried out by the panel.",
    longTable({ label: "Not carried out, or not known", heads, of: "restore", folded: "", groups: [{ rows }] }),
  );
}

function absent(one: NotCarriedOut, links: Links): Markup {
  const { restore, wave, virtualMachineId, recoveryPointId, chosenBy, what, why } = one;
  return markup`<tr id="${links.idOf(one)}"><th scope="row" class="sticky">${restore}</th><td>${wave ?? none}</td><td>${virtualMachineId}</td><td>${recoveryPointId}${sub(chosenBy && chosenText(chosenBy))}</td><td>${word(what)}</td><td class="long">${why}</td></tr>
`;
}
