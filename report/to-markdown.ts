import {
  changeColumns,
  goalColumns,
  notCarriedOutColumns,
  restoreColumns,
  restoreRows,
  takenOutColumns,
  type Column,
  type Part,
} from "./model/columns";
import { sha256Of } from "./model/canonical";
import type { Report, Step, Wave } from "./model/model";
import { capitalized, checkText, durationText, timeText } from "./model/format";
import {
  disclaimer,
  attentionOf,
  goalFor,
  goalSummaries,
  goalsByKey,
  missedText,
  namesBetween,
  stepState,
  stepsOf,
  tallyOf,
  titleOf,
  verdictText,
} from "./model/summary";

const verdictIcons = { passed: "✅", "passed with warnings": "⚠️", failed: "❌", incomplete: "⏸️" } as const;

/** Renders Markdown for a job's summary or a ticket: the verdict first, details folded. */
export function toMarkdown(report: Report): string {
  const lines = [
    `### ${verdictIcons[report.verdict.result]} ${escapeMarkdown(titleOf(report))}: ${verdictText(report)}`,
    "",
    `${tallyOf(report).join(" · ")}.`,
    "",
    ...(report.verdict.reasons.length > 0
      ? [...report.verdict.reasons.map((reason) => `- ${escapeMarkdown(reason)}`), ""]
      : []),
    ...goalTable(report),
    ...attention(report),
    ...notCarriedOut(report),
    ...folded("Restores", restores(report)),
    ...changes(report),
    ...(report.deviations.length > 0 ? folded("Deviations", deviations(report)) : []),
    ...folded("Evidence", evidence(report)),
    ...logs(report),
    `<sub>${disclaimer}</sub>`,
    "",
  ];
  return lines.join("\n");
}

function goalTable(report: Report): readonly string[] {
  const { recoveryTimeSeconds } = report.measured;
  const whole = goalFor(goalsByKey(report), "recoveryTime");
  const withoutGoal = whole === undefined && recoveryTimeSeconds !== undefined;
  const rows = [
    ...(withoutGoal ? [["Overall recovery time", "–", durationText(recoveryTimeSeconds), "–", "no goal"]] : []),
    ...goalSummaries(report).map((line) => cellsOf(goalColumns, line)),
  ];
  return rows.length === 0 ? [] : table(headsOf(goalColumns), rows);
}

function attention(report: Report): readonly string[] {
  const { bad, late } = attentionOf(report);
  if (bad.length + late.length === 0) return [];
  return [
    "#### What needs attention",
    "",
    ...bad.flatMap((step) => [
      `- **${capitalized(stepState(step))}**: ${escapeMarkdown(step.name)}, machine ${code(step.virtualMachineId)}${transactionsText(step)}${step.reason === undefined ? "" : `<br>${escapeMarkdown(step.reason)}`}`,
      ...step.checks
        .filter(({ result }) => result === "failed")
        .map((check) => `  - ${escapeMarkdown(checkText(check))}`),
    ]),
    ...late.map(({ step, goals }) => `- **Missed**: ${escapeMarkdown(step.name)}, ${goals.map(missedText).join("; ")}`),
    "",
  ];
}

function transactionsText({ transactionIds }: Step): string {
  return transactionIds.length === 0 ? "" : `, transaction ${transactionIds.map(code).join(", ")}`;
}

function notCarriedOut({ notCarriedOut: missing }: Report): readonly string[] {
  return missing.length === 0 ? [] : ["#### Not carried out, or not known", ...tableOf(notCarriedOutColumns, missing)];
}

function restores(report: Report): readonly string[] {
  const columns = restoreColumns(report);
  return report.waves
    .filter(({ restores }) => restores.length > 0)
    .flatMap((wave) => [
      ...(wave.name === undefined
        ? []
        : [`**Wave ${String(wave.index + 1)}: ${escapeMarkdown(wave.name)}**${afterText(wave)}`]),
      ...tableOf(columns, wave.restores.flatMap(restoreRows)),
    ]);
}

function changes({ changes = [], takenOut = [] }: Report): readonly string[] {
  const values = changes.flatMap((change) => change.values.map((value) => ({ change, value })));
  const tries = takenOut.flatMap((of) => of.tries.map((one) => ({ of, one })));
  if (values.length + tries.length === 0) return [];
  return folded("Changes after the run began", [
    ...(values.length === 0 ? [] : tableOf(changeColumns, values)),
    ...(tries.length === 0 ? [] : tableOf(takenOutColumns, tries)),
  ]);
}

function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] {
  return table(
    headsOf(columns),
    rows.map((row) => cellsOf(columns, row)),
  );
}

function headsOf<Row>(columns: readonly Column<Row>[]): readonly string[] {
  return columns.map(({ head }) => head);
}

function cellsOf<Row>(columns: readonly Column<Row>[], row: Row): readonly string[] {
  return columns.map(({ cell }) => {
    const [first, ...others] = cell(row);
    const below = others.flatMap((part) => (part === undefined ? [] : [partText(part)]));
    return [first === undefined ? "–" : partText(first), ...below].join("<br>");
  });
}

function partText(part: Part): string {
  if (typeof part === "string") return escapeMarkdown(part);
  if ("status" in part) return part.status === "complete" || part.status === "met" ? part.status : `**${part.status}**`;
  if ("time" in part) return timeText(part.time).replace(" UTC", "");
  if ("id" in part) return code(part.id);
  if ("code" in part) return code(part.code);
  if ("transactions" in part) return part.transactions.map(code).join(", ");
  return "restore" in part ? escapeMarkdown(part.restore) : part.words;
}

function afterText(wave: Wave): string {
  return namesBetween(wave)
    .map(({ names, ran }) => `${ran ? ", after" : "; not run in this run:"} ${escapeMarkdown(names)}`)
    .join("");
}

function deviations(report: Report): readonly string[] {
  return report.deviations.map(
    ({ kind, restore, text: what }) =>
      `- **${kind}**${restore === undefined ? "" : ` (${escapeMarkdown(restore)})`}: ${escapeMarkdown(what)}`,
  );
}

function evidence(report: Report): readonly string[] {
  const { run, plan, source, before } = report;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Started", run.startedAt && timeText(run.startedAt)],
    ["Ended", run.endedAt === undefined ? "not recorded" : timeText(run.endedAt)],
    ["Incident at", run.incidentAt && timeText(run.incidentAt)],
    ["Scenario", run.notes?.scenario && escapeMarkdown(run.notes.scenario)],
    ["Owner", run.notes?.owner && escapeMarkdown(run.notes.owner)],
    ["Approver", run.notes?.approver && escapeMarkdown(run.notes.approver)],
    ["Reference", run.notes?.reference && escapeMarkdown(run.notes.reference)],
    ["Run by", [run.user, run.host].flatMap((part) => (part === undefined ? [] : [escapeMarkdown(part)])).join(" on ")],
    [
      "Pipeline",
      run.pipeline &&
        [run.pipeline.name, run.pipeline.run, run.pipeline.url]
          .flatMap((part) => (part === undefined ? [] : [escapeMarkdown(part)]))
          .join(", "),
    ],
    ["Commit", run.pipeline?.commit && code(run.pipeline.commit)],
    ["Panel", run.panels.map(escapeMarkdown).join(", ")],
    [
      "Plan changed",
      plan?.changed === undefined
        ? undefined
        : plan.changed
          ? `since ${escapeMarkdown(plan.previous?.run ?? "the run before")}`
          : "no",
    ],
    ["Report before", before && `${escapeMarkdown(before.run ?? "a run")}: ${before.verdict}, ${code(before.sha256)}`],
    ["Verdict", report.verdict.from === "stored" ? "as the run stored it" : "derived from the state"],
    ["State written", source.stateWrittenAt && timeText(source.stateWrittenAt)],
    [
      "Versions",
      Object.entries(source.versions)
        .map(([name, version]) => escapeMarkdown(`${name} ${version}`))
        .join(", "),
    ],
    ["SHA-256 of the JSON", code(sha256Of(report))],
  ];
  return [
    ...table(
      ["", ""],
      facts.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])),
    ),
    "Times of restores are the panel’s stamps, times of checks the runner’s clock.",
  ];
}

/** Indented by four spaces, because no text can end such a block. */
function logs(report: Report): readonly string[] {
  const block = (title: string, log: string): readonly string[] =>
    folded(
      title,
      log.split("\n").map((line) => `    ${line}`),
    );
  return [
    ...stepsOf(report).flatMap(({ name, log }) =>
      log === undefined ? [] : block(`Log of ${escapeMarkdown(name)}`, log),
    ),
    ...report.waves.flatMap(({ name = "", checkOutput }) =>
      checkOutput === undefined ? [] : block(`Output of the checks of ${escapeMarkdown(name)}`, checkOutput),
    ),
  ];
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

/** The panel's names and numbers, as code. */
function code(value: string): string {
  return `<code>${escapeMarkdown(value)}</code>`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return ["", row(heads), row(heads.map(() => "---")), ...rows.map(row), ""];
}

function folded(title: string, lines: readonly string[]): readonly string[] {
  return [`<details><summary>${title}</summary>`, "", ...lines, "", "</details>", ""];
}
