import { formatDuration } from "../../provider/inputs/duration";
import { styleText } from "node:util";
import type { Report, VerdictWord } from "../../report";

import { figuresOf, tallyOf, titleOf, verdictText } from "../../report/model/summary";

const colours = {
  passed: "green",
  complete: "green",
  "passed with warnings": "yellow",
  failed: "red",
  incomplete: "magenta",
} as const satisfies Record<VerdictWord, Parameters<typeof styleText>[0]>;

const mostLines = 5;

/** A report in a few lines: the verdict, its figures and its reasons. The files have the rest. */
export function terminalSummary(report: Report, how: "in colour" | "plain"): readonly string[] {
  const { result, reasons } = report.verdict;
  const verdict = verdictText(report);
  const figures = figuresOf(report).flatMap(({ name, seconds, restore, goals }) =>
    seconds === undefined
      ? []
      : `${name.toLowerCase()} ${formatDuration(seconds)}${restore === undefined ? "" : ` (${restore})`}${goals === undefined ? "" : `, ${goals.text}`}`,
  );
  const more = reasons.length - mostLines;
  return [
    `${titleOf(report)}: ${how === "plain" ? verdict : styleText(["bold", colours[result]], verdict)}`,
    `  ${tallyOf(report).join(", ")}`,
    ...(figures.length === 0 ? [] : [`  ${figures.join("; ")}`]),
    ...reasons.slice(0, mostLines).map((reason) => `  - ${reason}`),
    ...(more > 0 ? [`  - … and ${String(more)} more`] : []),
  ];
}
