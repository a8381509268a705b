import { formatDuration } from "../provider/inputs/duration";
import { sha256Of, timeText } from "./model/format";
import type { EarlierAttempt, Goal, Report, Step } from "./model/model";
import {
  checkText,
  chosenText,
  clocksText,
  disclaimer,
  evidenceOf,
  stackOf,
  figuresOf,
  goalsByRestore,
  goalsShown,
  goalResultText,
  machineText,
  pointNotShownText,
  allSteps,
  spanOf,
  tallyOf,
  timesText,
  titleOf,
  verdictLine,
} from "./model/summary";

const verdictIcons = {
  passed: "✅",
  complete: "✅",
  "passed with warnings": "⚠️",
  failed: "❌",
  incomplete: "⏸️",
} as const;

/** Renders Markdown for a job summary or a ticket: the verdict first, details folded away. */
export function toMarkdown(report: Report): string {
  const { verdict, earlier = [] } = report;
  const lines = [
    `### ${verdictIcons[verdict.result]} ${escapeMarkdown(titleOf(report))}: ${verdictLine(report)}`,
    "",
    `${tallyOf(report).join(" · ")}.`,
    "",
    ...(verdict.reasons.length > 0 ? [...verdict.reasons.map((reason) => `- ${escapeMarkdown(reason)}`), ""] : []),
    ...figures(report),
    ...folded("Restores", restores(report)),
    ...(earlier.length > 0 ? folded("Earlier runs", earlierRuns(earlier)) : []),
    ...folded("Evidence", evidence(report)),
    ...allSteps(report).flatMap(({ name, log }) =>
      // Unlike a fence, an indentation makes a code block that no text can end.
      log === undefined ? [] : folded(`Log of ${escapeMarkdown(name)}`, [`    ${log.replaceAll("\n", "\n    ")}`]),
    ),
    `<sub>${disclaimer}</sub>`,
    "",
  ];
  return lines.join("\n");
}

function figures(report: Report): readonly string[] {
  const known = figuresOf(report).filter(({ seconds, goals }) => seconds !== undefined || goals !== undefined);
  if (known.length === 0) return [];
  return markdownTable(
    ["", "Measured", "Goals"],
    known.map(({ name, seconds, restore, goals }) => [
      name,
      seconds === undefined
        ? "not measured"
        : `${formatDuration(seconds)}${restore === undefined ? "" : ` (${escapeMarkdown(restore)})`}`,
      goals === undefined ? "–" : stressed(goals.text, goals.is === "met"),
    ]),
  );
}

function restores(report: Report): readonly string[] {
  const goals = goalsByRestore(report);
  return [
    ...report.waves.flatMap(({ name, restores }) => [
      ...(name === undefined ? [] : [`**Wave ${escapeMarkdown(name)}**`]),
      ...markdownTable(
        ["Restore", "State", "Recovered in", "Data age", "Requested to finished", "Recovery point", "Transaction"],
        restores.flatMap((step) => [
          restoreCells(step, goalsShown(step, goals)),
          ...(step.earlierAttempts ?? []).map((attempt, index) => attemptCells(attempt, index + 1)),
        ]),
      ),
    ]),
    clocksText,
  ];
}

function restoreCells(step: Step, goals: readonly Goal[]): readonly string[] {
  const goalsOf = (kind: Goal["goal"]): readonly string[] =>
    goals.filter(({ goal }) => goal === kind).map((goal) => stressed(goalResultText(goal), goal.result === "met"));
  const { recoveryPointId, recoveryPointTakenAt, chosenBy } = step;
  return [
    [escapeMarkdown(step.name), escapeMarkdown(machineText(step))],
    [stressed(step.state, step.state === "complete"), ...step.checks.map((check) => escapeMarkdown(checkText(check)))],
    [seconds(step.recoveredSeconds), ...goalsOf("recoveryTime"), timesText(step)],
    [seconds(step.dataAgeSeconds), ...goalsOf("dataAge")],
    [escapedSpan(step)],
    [
      recoveryPointId === undefined ? pointNotShownText(step) : code(recoveryPointId),
      recoveryPointTakenAt && escapeMarkdown(timeText(recoveryPointTakenAt)),
      chosenBy && escapeMarkdown(chosenText(chosenBy)),
    ],
    [step.transactionIds.map(code).join(", ")],
  ].map(cell);
}

function attemptCells(attempt: EarlierAttempt, number: number): readonly string[] {
  const ids = cell([attempt.transactionIds.map(code).join(", ")]);
  return [`attempt ${String(number)}`, `**${attempt.state}**`, "–", "–", cell([escapedSpan(attempt)]), "–", ids];
}

const escapedSpan = (of: Step | EarlierAttempt): string => escapeMarkdown(spanOf(of) ?? "");

function cell(lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined && line !== "").join("<br>") || "–";
}

function seconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : formatDuration(value);
}

function earlierRuns(earlier: NonNullable<Report["earlier"]>): readonly string[] {
  return markdownTable(
    ["Run", "Verdict", "Started", "Recovery time", "Oldest data", "Complete", "SHA-256 of its JSON"],
    earlier.map((one) => [
      escapeMarkdown(one.run ?? "not named"),
      one.result,
      one.startedAt === undefined ? "–" : escapeMarkdown(timeText(one.startedAt)),
      seconds(one.recoveryTimeSeconds) ?? "–",
      seconds(one.oldestDataSeconds) ?? "–",
      `${String(one.complete)} of ${String(one.planned)}`,
      code(one.sha256),
    ]),
  );
}

function evidence(report: Report): readonly string[] {
  const { run, source } = report;
  const times: readonly (readonly [string, string | undefined])[] = [
    [run.kind === "not stated" ? "First known request" : "Started", run.startedAt],
    ["Incident at", run.incidentAt],
    ["State written", source.stateWrittenAt],
  ];
  const { url } = run.pipeline ?? {};
  return markdownTable(
    ["", ""],
    [
      ...stackOf(report).map((text) => ["Stack", escapeMarkdown(text)]),
      ...times.flatMap(([name, at]) => (at === undefined ? [] : [[name, escapeMarkdown(timeText(at))]])),
      ...evidenceOf(report).map(([name, text]) => [
        escapeMarkdown(name),
        escapeMarkdown(name === "Pipeline" && url !== undefined ? `${text}, ${url}` : text),
      ]),
      ["SHA-256 of the JSON", code(sha256Of(report))],
    ],
  );
}

function stressed(text: string, isGood: boolean): string {
  return isGood ? text : `**${text}**`;
}

/** Text from outside must not act as Markdown, HTML, a mention, a reference or a link. */
const specialCharacters = /[\\`*_{}[\]()<>#!|~&$]/g;

export function escapeMarkdown(value: string): string {
  return (
    value
      .replaceAll(specialCharacters, (character) => `&#${String(character.charCodeAt(0))};`)
      .replace(/^([-+=]|\d+[.)])/, (mark) => mark.replaceAll(/./g, (one) => `&#${String(one.charCodeAt(0))};`))
      // An invisible joiner prevents mentions and links.
      .replaceAll("@", "@&#8288;")
      .replaceAll(/&#35;(?=\d)/g, "&#35;&#8288;")
      .replaceAll("://", ":&#8288;//")
      .replaceAll(/\bwww\./gi, "www&#8288;.")
  );
}

/** Formats the panel's names and numbers as code. */
function code(value: string): string {
  return `<code>${escapeMarkdown(value)}</code>`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return ["", row(heads), row(heads.map(() => "---")), ...rows.map(row), ""];
}

function folded(title: string, lines: readonly string[]): readonly string[] {
  return [`<details><summary>${title}</summary>`, "", ...lines, "", "</details>", ""];
}
