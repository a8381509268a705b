import { sha256Of } from "./model/canonical";
import type { Report, Step, Wave } from "./model/model";
import {
  capitalized,
  checkText,
  countText,
  goalNames,
  marginText,
  durationText,
  numberText,
  timeText,
} from "./model/format";
import {
  chosenText,
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
    ...(report.deviations.length > 0 ? folded("Deviations", deviations(report)) : []),
    ...folded("Evidence", evidence(report)),
    ...logs(report),
    `<sub>${disclaimer}</sub>`,
    "",
  ];
  return lines.join("\n");
}

function goalTable(report: Report): readonly string[] {
  const { measured } = report;
  const whole = goalFor(goalsByKey(report), "recoveryTime");
  const rows: string[][] = [];
  if (whole === undefined && measured.recoveryTimeSeconds !== undefined) {
    rows.push(["Overall recovery time", "–", durationText(measured.recoveryTimeSeconds), "–", "no goal"]);
  }
  for (const { kind, scope, targets, met, missed, notMeasured, tightest } of goalSummaries(report)) {
    const [least, most] = targets;
    const all = met + missed + notMeasured;
    const result = missed > 0 ? "missed" : notMeasured > 0 ? "not measured" : "met";
    rows.push([
      scope === "whole" ? `Overall ${goalNames[kind].toLowerCase()}` : `${goalNames[kind]} of each restore`,
      least === most ? durationText(least) : `${durationText(least)} to ${durationText(most)}`,
      tightest?.measuredSeconds === undefined
        ? "not measured"
        : `${durationText(tightest.measuredSeconds)}${tightest.restore === undefined ? "" : ` (${escapeMarkdown(tightest.restore)})`}`,
      tightest?.marginSeconds === undefined ? "–" : marginText(tightest.marginSeconds),
      scope === "whole" ? `**${result}**` : `**${result}**, ${numberText(met)} of ${numberText(all)} met`,
    ]);
  }
  return rows.length === 0 ? [] : table(["Goal", "Target", "Measured, tightest", "Margin", "Verdict"], rows);
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
  if (missing.length === 0) return [];
  return [
    "#### Not carried out, or not known",
    ...table(
      ["Restore", "Wave", "Machine", "Point", "What is known", "Why"],
      missing.map(({ restore, wave, virtualMachineId, recoveryPointId, chosenBy, what, why }) => [
        escapeMarkdown(restore),
        wave === undefined ? "–" : escapeMarkdown(wave),
        code(virtualMachineId),
        pointCell({ recoveryPointId, chosenBy }),
        what,
        escapeMarkdown(why),
      ]),
    ),
  ];
}

function restores(report: Report): readonly string[] {
  const goals = goalsByKey(report);
  const seconds = (value: number | undefined): string => (value === undefined ? "–" : durationText(value));
  const verdict = (kind: "recoveryTime" | "dataAge", name: string): string => {
    const goal = goalFor(goals, kind, name);
    return goal === undefined ? "" : `, goal ${durationText(goal.targetSeconds)} ${goal.verdict}`;
  };
  const earlier = (value: number | undefined): string =>
    report.before === undefined ? "" : `, before ${value === undefined ? "not measured" : durationText(value)}`;
  return report.waves
    .filter(({ restores }) => restores.length > 0)
    .flatMap((wave) => [
      ...(wave.name === undefined
        ? []
        : [`**Wave ${String(wave.index + 1)}: ${escapeMarkdown(wave.name)}**${afterText(wave)}`]),
      ...table(
        [
          "Restore",
          "Machine",
          "Point",
          "Result",
          "Recovered in",
          "Queued",
          "Ran",
          "Checked",
          "Data age",
          "Requested",
          "Transactions",
        ],
        wave.restores.flatMap((step) => [
          ...(step.earlierTries ?? []).map((one, index) => [
            `${escapeMarkdown(step.name)}, try ${String(index + 1)}`,
            code(step.virtualMachineId),
            code(step.recoveryPointId),
            one.failedChecks === undefined
              ? one.result
              : `${one.result}, ${countText(one.failedChecks.length, "check")} not passed`,
            ...["–", "–", "–", "–", "–"],
            one.requestedAt === undefined ? "–" : timeText(one.requestedAt),
            one.transactionIds.map(code).join(", "),
          ]),
          [
            escapeMarkdown(step.name),
            code(step.virtualMachineId),
            pointCell(step),
            `${stepState(step)}${step.adopted ? ", adopted" : ""}`,
            `${seconds(step.recoveredSeconds)}${verdict("recoveryTime", step.name)}${earlier(step.before?.recoveredSeconds)}`,
            seconds(step.queuedSeconds),
            seconds(step.ranSeconds),
            seconds(step.checkedSeconds),
            `${seconds(step.dataAgeSeconds)}${verdict("dataAge", step.name)}${earlier(step.before?.dataAgeSeconds)}`,
            step.requestedAt === undefined ? "–" : timeText(step.requestedAt),
            step.transactionIds.map(code).join(", "),
          ],
        ]),
      ),
    ]);
}

function afterText(wave: Wave): string {
  return namesBetween(wave)
    .map(({ names, ran }) => `${ran ? ", after" : "; not run in this run:"} ${escapeMarkdown(names)}`)
    .join("");
}

/** The recovery point; with its time if a rule chose it. */
function pointCell({
  recoveryPointId,
  recoveryPointTakenAt: takenAt,
  chosenBy,
}: Pick<Step, "recoveryPointId" | "recoveryPointTakenAt"> & {
  readonly chosenBy?: Step["chosenBy"] | undefined;
}): string {
  if (chosenBy === undefined) return code(recoveryPointId);
  const taken = takenAt === undefined ? "" : `, taken ${timeText(takenAt)}`;
  return `${code(recoveryPointId)}${taken}<br>${escapeMarkdown(chosenText(chosenBy))}`;
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
    ["Plan", plan?.digest && code(plan.digest)],
    [
      "Plan changed",
      plan?.changed === undefined
        ? undefined
        : plan.changed
          ? `since ${escapeMarkdown(plan.previous?.run ?? "the run before")}`
          : "no",
    ],
    ["Compared with the plan by", plan?.comparedBy],
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
