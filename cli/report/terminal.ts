import { styleText } from "node:util";
import type { Report, VerdictWord } from "../../report";
import { capitalized, checkText, durationText } from "../../report/model/format";
import { attentionOf, missedText, stepState, tallyOf, titleOf, verdictText } from "../../report/model/summary";

const colours = {
  passed: "green",
  "passed with warnings": "yellow",
  failed: "red",
  incomplete: "magenta",
} as const satisfies Record<VerdictWord, Parameters<typeof styleText>[0]>;

const mostLines = 5;

/** A report in a few lines: the verdict, its figures, failures and missed goals. The files have the rest. */
export function terminalSummary(report: Report, how: "in colour" | "plain"): readonly string[] {
  const { result, reasons } = report.verdict;
  const paint = (text: string): string => (how === "plain" ? text : styleText(["bold", colours[result]], text));
  const { bad, late } = attentionOf(report);
  const findings = [
    ...bad.map((step) =>
      [
        `${capitalized(stepState(step))}: ${step.name}, machine ${step.virtualMachineId}`,
        step.reason,
        ...step.checks.filter((check) => check.result === "failed").map(checkText),
      ]
        .filter((part) => part !== undefined)
        .join(". "),
    ),
    ...late.map(({ step, goals }) => `Missed: ${step.name}, ${goals.map(missedText).join("; ")}`),
  ];
  return [
    `${titleOf(report)}: ${paint(verdictText(report))}`,
    `  ${tallyOf(report).join(", ")}`,
    ...figuresOf(report),
    ...firstLines(findings.length > 0 ? findings : result === "passed" ? [] : reasons).map((line) => `  - ${line}`),
  ];
}

function figuresOf({ measured: { recoveryTimeSeconds, slowest, oldestData } }: Report): readonly string[] {
  const parts = [
    recoveryTimeSeconds === undefined ? undefined : `recovered in ${durationText(recoveryTimeSeconds)}`,
    slowest === undefined ? undefined : `slowest ${slowest.restore}, ${durationText(slowest.seconds)}`,
    oldestData === undefined ? undefined : `oldest data ${oldestData.restore}, ${durationText(oldestData.seconds)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? [] : [`  ${parts.join("; ")}`];
}

function firstLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines), `… and ${String(lines.length - mostLines)} more`];
}
