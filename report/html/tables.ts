import type { Check, EarlierTry, Goal, Report, Step, Wave } from "../model/model";
import { count, margin, spoken } from "../model/show";
import { goalFor, goalsByKey, standingOf, stepsOf } from "../model/summary";
import {
  tones,
  word,
  markup,
  type Markup,
  type Part,
  clock,
  head,
  none,
  rowIds,
  section,
  sub,
  table,
  time,
} from "./parts";

export function restores(report: Report): Markup | undefined {
  const steps = stepsOf(report);
  if (steps.length === 0) return undefined;
  const goals = goalsByKey(report);
  const rows = rowIds(report);
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
  const body = report.waves
    .filter((wave) => wave.restores.length > 0)
    .map(
      (wave) =>
        markup`<tbody>${waveRow(wave, heads.length)}${wave.restores.map((step) => row(step, goals, checked, rows.get(step.name)))}</tbody>`,
    );
  return section(
    "restores",
    "Restores",
    compared ? "Below each figure its goal, and what the run before measured." : undefined,
    table("Restores", heads, body),
  );
}

function waveRow({ name, index, startedAt, endedAt, state }: Wave, columns: number): Markup | undefined {
  if (name === undefined) return undefined;
  const when =
    startedAt === undefined
      ? state
      : markup`waited for from ${time(startedAt)}${endedAt === undefined ? undefined : markup` to ${time(endedAt)}`}`;
  return markup`<tr class="wave"><th scope="rowgroup" class="sticky">Wave ${index + 1}: ${name}</th><td colspan="${columns - 1}" class="soft small">${when}</td></tr>`;
}

function row(step: Step, goals: ReadonlyMap<string, Goal>, checked: boolean, id: string | undefined): Markup {
  const timeGoal = goalFor(goals, "recoveryTime", step.name);
  const ageGoal = goalFor(goals, "dataAge", step.name);
  const { before } = step;
  return markup`<tr id="${id}"><th scope="row" class="sticky">${step.name}${sub(`${step.kind === "FileRestore" ? `${count(step.paths?.length ?? 0, "path")} of machine` : "machine"} ${step.virtualMachineId}`)}</th>
<td>${word(standingOf(step))}${sub(checksLine(step.checks))}${step.adopted ? markup`<span class="tag">adopted</span>` : undefined}</td>
<td class="nowrap">${amount(step.recoveredSeconds)}${goalLine(timeGoal)}${earlier(before, before?.recoveredSeconds)}</td>
<td class="nowrap">${amount(step.queuedSeconds)}</td><td class="nowrap">${amount(step.ranSeconds)}</td>${checked ? markup`<td class="nowrap">${amount(step.checkedSeconds)}</td>` : undefined}
<td class="nowrap">${amount(step.dataAgeSeconds)}${goalLine(ageGoal)}${earlier(before, before?.dataAgeSeconds)}</td>
<td class="nowrap">${at(step.requestedAt)}${sub(step.finishedAt === undefined ? undefined : at(step.finishedAt))}</td>
<td>${step.recoveryPointId}${sub(step.recoveryPointTakenAt === undefined ? undefined : markup`<span class="nowrap">${at(step.recoveryPointTakenAt)}</span>`)}</td>
<td>${step.transactionIds.length === 0 ? none : step.transactionIds.join(", ")}</td></tr>
${(step.earlierTries ?? []).map((one, index) => tryRow(step, one, index, checked))}`;
}

function tryRow({ name }: Step, one: EarlierTry, index: number, checked: boolean): Markup {
  return markup`<tr class="try"><th scope="row" class="sticky">${name}${sub(`earlier try ${String(index + 1)}`)}</th>
<td>${word(one.result)}</td><td colspan="${checked ? 5 : 4}" class="soft small">in the time it took to recover</td>
<td class="nowrap">${at(one.requestedAt)}${sub(one.finishedAt === undefined ? undefined : at(one.finishedAt))}</td><td>${none}</td>
<td>${one.transactionIds.length === 0 ? none : one.transactionIds.join(", ")}</td></tr>
`;
}

function amount(seconds: number | undefined): Part {
  return seconds === undefined ? none : spoken(seconds);
}

function at(iso: string | undefined): Part {
  return iso === undefined ? none : clock(iso);
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

export function checks(report: Report): Markup | undefined {
  const all = stepsOf(report).flatMap((step) => step.checks.map((check) => ({ step, check })));
  if (all.length === 0) return undefined;
  const heads = [
    head("Restore", "sticky"),
    head("Check", "long"),
    head("Result"),
    head("Tries"),
    head("Took"),
    head("Allowed"),
  ];
  const rows = all.map(
    ({
      step,
      check,
    }) => markup`<tr><th scope="row" class="sticky">${step.name}</th><td class="long">${check.kind} <code>${check.target}</code>${sub(check.reason)}${check.addedLater === true ? sub("added later, measured by itself") : undefined}</td><td>${word(check.result)}</td><td>${check.tries ?? none}</td><td class="nowrap">${amount(check.seconds)}</td><td class="nowrap">${amount(check.withinSeconds)}</td></tr>
`,
  );
  return section(
    "checks",
    "Checks",
    "Run by the runner after a restore had ended.",
    table("Checks", heads, markup`<tbody>${rows}</tbody>`),
  );
}

export function notCarriedOut(report: Report): Markup | undefined {
  if (report.notCarriedOut.length === 0) return undefined;
  const heads = [
    head("Restore", "sticky"),
    head("Wave"),
    head("Machine"),
    head("Recovery point"),
    head("What is known"),
    head("Why", "long"),
  ];
  const rows = report.notCarriedOut.map(
    ({
      restore,
      wave,
      virtualMachineId,
      recoveryPointId,
      what,
      why,
    }) => markup`<tr><th scope="row" class="sticky">${restore}</th><td>${wave ?? none}</td><td>${virtualMachineId}</td><td>${recoveryPointId}</td><td>${word(what)}</td><td class="long">${why}</td></tr>
`,
  );
  return section(
    "not-carried-out",
    "Not carried out, or not known",
    "As planned. A restore whose outcome is not stored may have been carried out by the panel.",
    table("Not carried out, or not known", heads, markup`<tbody>${rows}</tbody>`),
  );
}
