import type { GoalWord } from "../model/model";
import { foldableTable, type FoldableRow } from "../html/folding";
import {
  timeWithoutZone,
  contents,
  icon,
  tones,
  statusWord,
  markup,
  type Markup,
  type Part,
  type Section,
  columnHead,
  dash,
  section,
  subline,
  table,
  time,
} from "../html/parts";
import { page } from "../html/page";
import { countText, durationText, numberText } from "../model/format";
import { chosenText, disclaimer } from "../model/summary";
import { oneOfEachRun, restoreKey, scopeKey, type EarlierReport, type EarlierStep } from "./earlier-report";

/** One restore over the runs. */
interface RestoreHistory {
  readonly name: string;
  readonly virtualMachineId: string;
  /** One per run, oldest first; undefined if the run did not have it. */
  readonly steps: readonly (EarlierStep | undefined)[];
}

/** Renders several reports as one page: the runs, and each restore's figures over them. A run that was reported twice counts once. */
export function historyPage(reports: readonly EarlierReport[]): string {
  const unique = oneOfEachRun(reports);
  const found = new Map(unique.map(({ scope }) => [scopeKey(scope), scope]));
  const groups = [...found].map(([key, scope]) => {
    const isShared = [...found.values()].filter(({ name }) => name === scope.name).length > 1;
    return { key, label: labelOf(scope, isShared ? "shared" : "own") };
  });
  groups.sort((a, b) => (a.label < b.label ? -1 : 1));
  const scopes = groups.map(({ label }) => label);
  const sections = groups.flatMap(({ key, label }, index) =>
    scopeSections(
      label,
      unique.filter(({ scope }) => scopeKey(scope) === key),
      index,
      groups.length > 1 ? "named" : "alone",
    ),
  );
  return page(
    `History: ${scopes.join(", ")}`,
    markup`<header>
<p class="eyebrow">History of recoveries</p>
<h1>${scopes.join(", ") || "No reports"}</h1>
<ul class="meta"><li>${countText(unique.length, "run")}</li>${span(unique)}</ul>
</header>
<main>
${contents(sections)}${sections}
</main>
<footer><p>${disclaimer}</p></footer>`,
  );
}

/** The name of a plan, or of a stack without one; with stack and project where others have the same name. */
function labelOf({ name, stack, project }: EarlierReport["scope"], use: "own" | "shared"): string {
  if (use === "own") return name;
  return `${name} (stack ${stack ?? "not stored"}, project ${project ?? "not stored"})`;
}

function span(reports: readonly EarlierReport[]): Markup | undefined {
  const stamps = reports.flatMap(({ startedAt }) => startedAt ?? []);
  const [first] = stamps;
  const last = stamps.at(-1);
  return first === undefined || last === undefined ? undefined : markup`<li>${time(first)} to ${time(last)}</li>`;
}

function scopeSections(
  scope: string,
  reports: readonly EarlierReport[],
  index: number,
  heading: "named" | "alone",
): readonly Section[] {
  const prefix = heading === "named" ? `${scope}: ` : "";
  return [
    section(`runs-${String(index)}`, `${prefix}Runs`, wholeTrend(reports), runsTable(reports)),
    section(
      `machines-${String(index)}`,
      `${prefix}Restores over the runs`,
      "The oldest run is on the left. The dashed line is the goal of the latest run; a hollow dot is a run without a measured value.",
      restoresTable(reports),
    ),
  ];
}

function wholeTrend(reports: readonly EarlierReport[]): Markup {
  const values = reports.map(({ recoveryTimeSeconds }) => recoveryTimeSeconds);
  return markup`Overall recovery time of each run:${sparkline({ title: seriesText("Overall recovery time", values), values, goal: reports.at(-1)?.recoveryTimeGoalSeconds })}`;
}

function runsTable(reports: readonly EarlierReport[]): Markup {
  const heads = [
    columnHead("Run", "sticky"),
    columnHead("Started"),
    columnHead("Verdict"),
    columnHead("Overall recovery time"),
    columnHead("Restores complete"),
    columnHead("Restores that missed a goal"),
    columnHead("Plan"),
    columnHead("SHA-256 of its JSON", "long"),
  ];
  const rows = reports.toReversed().map((report) => {
    const complete = report.steps.filter(({ result }) => result === "complete").length;
    const missed = report.steps.filter(({ missed }) => missed === "a goal").length;
    const goal = report.recoveryTimeGoalSeconds;
    return markup`<tr><th scope="row" class="sticky">${report.run ?? "unnamed"}${subline(report.kind)}</th><td class="nowrap">${report.startedAt === undefined ? dash : time(report.startedAt)}</td><td>${statusWord(report.verdict)}</td><td class="nowrap">${report.recoveryTimeSeconds === undefined ? "not measured" : durationText(report.recoveryTimeSeconds)}${subline(goal === undefined ? undefined : `goal ${durationText(goal)}`)}</td><td>${numberText(complete)} of ${numberText(report.steps.length)}</td><td>${missed === 0 ? "none" : `${numberText(missed)} of ${countText(report.steps.length, "restore")}`}</td><td>${report.planChanged === undefined ? dash : report.planChanged ? "changed" : "unchanged"}</td><td class="long"><code class="digest">${report.sha256}</code></td></tr>
`;
  });
  return table("Runs", heads, markup`<tbody>${rows}</tbody>`);
}

function restoresTable(reports: readonly EarlierReport[]): Part {
  const heads = [
    columnHead("Restore", "sticky"),
    columnHead("Recovery time"),
    columnHead("Latest"),
    columnHead("Before"),
    columnHead("Data age"),
    columnHead("Latest"),
    columnHead("Before"),
    columnHead("Latest recovery point (UTC)"),
    columnHead("Outcomes, oldest first"),
  ];
  const rows = historiesOf(reports).map(({ name, virtualMachineId, steps }): FoldableRow => {
    const latest = steps.at(-1);
    const before = steps.at(-2);
    const times = steps.map((step) => step?.recoveredSeconds);
    const ages = steps.map((step) => step?.dataAgeSeconds);
    const line = markup`<tr><th scope="row" class="sticky">${name}${subline(`machine ${virtualMachineId}`)}</th><td>${sparkline({ title: seriesText(`Recovery time of ${name}`, times), values: times, goal: latest?.recoveryTimeGoalSeconds })}</td>${figureCell(latest?.recoveredSeconds, latest?.recoveryTimeGoalSeconds, latest?.recoveryTimeGoal)}${figureCell(before?.recoveredSeconds)}<td>${sparkline({ title: seriesText(`Data age of ${name}`, ages), values: ages, goal: latest?.dataAgeGoalSeconds })}</td>${figureCell(latest?.dataAgeSeconds, latest?.dataAgeGoalSeconds, latest?.dataAgeGoal)}${figureCell(before?.dataAgeSeconds)}<td>${pointOf(latest)}</td><td class="nowrap">${steps.map(outcomeIcon)}</td></tr>
`;
    return { markup: line, is: steps.every(isGood) ? "as planned" : "remarkable" };
  });
  return foldableTable({
    label: "Restores over the runs",
    heads,
    noun: "restore",
    foldedAs: "complete in every run, without a missed goal",
    groups: [{ rows }],
  });
}

/** A run without this restore does not count against it. */
function isGood(step: EarlierStep | undefined): boolean {
  return step === undefined || (step.result === "complete" && step.missed === "no goal");
}

function pointOf(step: EarlierStep | undefined): Part {
  if (step?.recoveryPointId === undefined) return dash;
  const { recoveryPointId, recoveryPointTakenAt: takenAt, chosenBy } = step;
  return markup`${recoveryPointId}${takenAt === undefined ? undefined : markup`<span class="sub nowrap">${timeWithoutZone(takenAt)}</span>`}${subline(chosenBy && chosenText(chosenBy))}`;
}

/** A figure with its goal and the goal's result, which the run's report has judged. */
function figureCell(seconds: number | undefined, goal?: number, verdict?: GoalWord): Markup {
  const said = verdict === undefined || verdict === "met" ? "" : ` ${verdict}`;
  return markup`<td class="nowrap">${seconds === undefined ? dash : durationText(seconds)}${goal === undefined ? undefined : markup`<span class="sub ${verdict === "missed" ? "bad" : ""}">goal ${durationText(goal)}${said}</span>`}</td>`;
}

function outcomeIcon(step: EarlierStep | undefined): Markup {
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
  return markup`<span class="word ${tone}" title="${text}">${icon(tone, "mark")}<span class="sr">${text}, </span></span>`;
}

function historiesOf(reports: readonly EarlierReport[]): readonly RestoreHistory[] {
  const byRun = reports.map(({ steps }) => new Map(steps.map((step) => [restoreKey(step), step])));
  const all = new Map(reports.flatMap(({ steps }) => steps).map((step) => [restoreKey(step), step]));
  return [...all].map(([key, { name, virtualMachineId }]) => ({
    name,
    virtualMachineId,
    steps: byRun.map((run) => run.get(key)),
  }));
}

function seriesText(what: string, values: readonly (number | undefined)[]): string {
  return `${what}, oldest first: ${values.map((value) => (value === undefined ? "not measured" : durationText(value))).join(", ")}`;
}

/** One figure over the runs, oldest first; undefined for a run without a value. */
interface Series {
  /** The line in words, for screen readers. */
  readonly title: string;
  readonly values: readonly (number | undefined)[];
  readonly goal?: number | undefined;
}

const width = 132;
const height = 34;
const edge = 4;

/** A small chart: a dot per run, a hollow one without a value, the goal dashed. */
function sparkline({ title, values, goal }: Series): Markup {
  const most = Math.max(goal ?? 0, ...values.map((value) => value ?? 0), 1);
  const x = (index: number): string =>
    round(values.length === 1 ? width / 2 : edge + (index / (values.length - 1)) * (width - 2 * edge));
  const y = (value: number): string => round(height - edge - (value / most) * (height - 2 * edge));
  const dots = values.map((value, index) =>
    value === undefined
      ? markup`<circle class="gone" cx="${x(index)}" cy="${height - edge}" r="2.4" />`
      : markup`<circle cx="${x(index)}" cy="${y(value)}" r="${index === values.length - 1 ? 3.2 : 2}" />`,
  );
  const lines = segments(values).map(
    (stretch) => markup`<polyline points="${stretch.map(([index, value]) => `${x(index)},${y(value)}`).join(" ")}" />`,
  );
  const goalLine =
    goal === undefined ? undefined : markup`<line x1="0" x2="${width}" y1="${y(goal)}" y2="${y(goal)}" />`;
  return markup`<svg class="spark" role="img" viewBox="0 0 ${width} ${height}" focusable="false"><title>${title}</title>${goalLine}${lines}${dots}</svg>`;
}

/** Parts of the line: it never crosses a run without a value. */
function segments(values: readonly (number | undefined)[]): readonly (readonly (readonly [number, number])[])[] {
  const all: [number, number][][] = [[]];
  values.forEach((value, index) => {
    if (value === undefined) all.push([]);
    else all.at(-1)?.push([index, value]);
  });
  return all.filter((stretch) => stretch.length > 1);
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
