import { mark, tones, word } from "../html/marks";
import { markup, type Markup, type Part } from "../html/markup";
import { page } from "../html/page";
import { head, none, section, sub, table, time } from "../html/parts";
import { count, spoken } from "../model/show";
import { claim } from "../model/summary";
import { byStart, keyOf, type EarlierReport, type EarlierStep } from "./entry";
import { spark } from "./spark";

/** One machine of a plan, over its runs. */
interface Line {
  readonly name: string;
  readonly virtualMachineId: string;
  /** One per run, oldest first; undefined where the run did not have it. */
  readonly steps: readonly (EarlierStep | undefined)[];
}

/** Several reports as one page: the runs, and per machine its figures over them. A report given twice counts once. */
export function historyPage(reports: readonly EarlierReport[]): string {
  const unique = [...new Map(reports.map((report) => [report.sha256, report])).values()].sort(byStart);
  const scopes = [...new Set(unique.map(({ scope }) => scope.name))].sort();
  return page(
    `History: ${scopes.join(", ")}`,
    markup`<header>
<p class="eyebrow">History of recoveries</p>
<h1>${scopes.join(", ") || "No reports"}</h1>
<ul class="meta"><li>${count(unique.length, "run")}</li>${span(unique)}</ul>
</header>
<main>
${scopes.map((scope, index) =>
  ofScope(
    scope,
    unique.filter((report) => report.scope.name === scope),
    index,
    scopes.length > 1 ? "named" : "alone",
  ),
)}
</main>
<footer><p>${claim}</p></footer>`,
  );
}

function span(reports: readonly EarlierReport[]): Markup | undefined {
  const stamps = reports.flatMap(({ startedAt }) => startedAt ?? []);
  const [first] = stamps;
  const last = stamps.at(-1);
  return first === undefined || last === undefined ? undefined : markup`<li>${time(first)} to ${time(last)}</li>`;
}

function ofScope(scope: string, reports: readonly EarlierReport[], index: number, heading: "named" | "alone"): Part {
  const prefix = heading === "named" ? `${scope}: ` : "";
  return [
    section(`runs-${String(index)}`, `${prefix}Runs`, overall(reports), runs(reports)),
    section(
      `machines-${String(index)}`,
      `${prefix}Restores over the runs`,
      "Oldest run on the left; the dashed line is the goal of the latest run, a hollow dot a run that measured nothing.",
      machines(reports),
    ),
  ];
}

function overall(reports: readonly EarlierReport[]): Markup {
  const values = reports.map(({ recoveryTimeSeconds }) => recoveryTimeSeconds);
  return markup`Recovery time of the whole over the runs:${spark({ title: told("Recovery time of the whole", values), values, goal: reports.at(-1)?.recoveryTimeGoalSeconds })}`;
}

function runs(reports: readonly EarlierReport[]): Markup {
  const heads = [
    head("Run", "sticky"),
    head("Started"),
    head("Verdict"),
    head("Recovery time of the whole"),
    head("Restores complete"),
    head("Goals missed"),
    head("Plan"),
    head("SHA-256 of its JSON", "long"),
  ];
  const rows = reports.toReversed().map((report) => {
    const complete = report.steps.filter(({ result }) => result === "complete").length;
    const missed = report.steps.filter(({ missed }) => missed === "a goal").length;
    const goal = report.recoveryTimeGoalSeconds;
    return markup`<tr><th scope="row" class="sticky">${report.run ?? "unnamed"}${sub(report.kind)}</th><td class="nowrap">${report.startedAt === undefined ? none : time(report.startedAt)}</td><td>${word(report.verdict)}</td><td class="nowrap">${report.recoveryTimeSeconds === undefined ? "not measured" : spoken(report.recoveryTimeSeconds)}${sub(goal === undefined ? undefined : `goal ${spoken(goal)}`)}</td><td>${complete} of ${report.steps.length}</td><td>${missed === 0 ? "none" : `of ${count(missed, "restore")}`}</td><td>${report.planChanged === undefined ? none : report.planChanged ? "changed" : "unchanged"}</td><td class="long"><code>${report.sha256}</code></td></tr>
`;
  });
  return table("Runs", heads, markup`<tbody>${rows}</tbody>`);
}

function machines(reports: readonly EarlierReport[]): Markup {
  const heads = [
    head("Restore", "sticky"),
    head("Recovery time"),
    head("Latest"),
    head("Before"),
    head("Data age"),
    head("Latest"),
    head("Before"),
    head("Outcomes, oldest first"),
  ];
  const rows = linesOf(reports).map(({ name, virtualMachineId, steps }) => {
    const latest = steps.at(-1);
    const before = steps.at(-2);
    const times = steps.map((step) => step?.recoveredSeconds);
    const ages = steps.map((step) => step?.dataAgeSeconds);
    return markup`<tr><th scope="row" class="sticky">${name}${sub(`machine ${virtualMachineId}`)}</th><td>${spark({ title: told(`Recovery time of ${name}`, times), values: times, goal: latest?.recoveryTimeGoalSeconds })}</td>${figure(latest?.recoveredSeconds, latest?.recoveryTimeGoalSeconds)}${figure(before?.recoveredSeconds)}<td>${spark({ title: told(`Data age of ${name}`, ages), values: ages, goal: latest?.dataAgeGoalSeconds })}</td>${figure(latest?.dataAgeSeconds, latest?.dataAgeGoalSeconds)}${figure(before?.dataAgeSeconds)}<td class="nowrap">${steps.map(outcome)}</td></tr>
`;
  });
  return table("Restores over the runs", heads, markup`<tbody>${rows}</tbody>`);
}

function figure(seconds: number | undefined, goal?: number): Markup {
  const over = seconds !== undefined && goal !== undefined && seconds > goal ? "bad" : "";
  return markup`<td class="nowrap">${seconds === undefined ? none : spoken(seconds)}${goal === undefined ? undefined : markup`<span class="sub ${over}">goal ${spoken(goal)}${over === "" ? "" : " missed"}</span>`}</td>`;
}

function outcome(step: EarlierStep | undefined): Markup {
  const text =
    step === undefined
      ? "not in the plan"
      : step.missed === "a goal" && step.result === "complete"
        ? "goal missed"
        : step.result;
  if (step === undefined)
    return markup`<span class="word soft"><span aria-hidden="true">· </span><span class="sr">${text}, </span></span>`;
  const tone =
    text === "goal missed"
      ? "warn"
      : text === "not carried out"
        ? "open"
        : tones[step.result === "not carried out" ? "not begun" : step.result];
  return markup`<span class="word ${tone}" title="${text}">${mark(tone, "mark")}<span class="sr">${text}, </span></span>`;
}

function linesOf(reports: readonly EarlierReport[]): readonly Line[] {
  const byRun = reports.map(({ steps }) => new Map(steps.map((step) => [keyOf(step), step])));
  const all = new Map(reports.flatMap(({ steps }) => steps).map((step) => [keyOf(step), step]));
  return [...all].map(([key, { name, virtualMachineId }]) => ({
    name,
    virtualMachineId,
    steps: byRun.map((run) => run.get(key)),
  }));
}

function told(what: string, values: readonly (number | undefined)[]): string {
  return `${what}, oldest first: ${values.map((value) => (value === undefined ? "not measured" : spoken(value))).join(", ")}`;
}
