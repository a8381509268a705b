import { count, wrapped } from "../parts/words";
import { checkParts, partOf, type CheckResult, type CheckFinding, type CheckPart, type CheckVerdict } from "./result";

const width = 80;
const indent = "     ";
const verdictMarks: Readonly<Record<CheckVerdict, string>> = { fine: " ok  ", question: " ??  ", fault: " !!  " };

/** Formats a result for a terminal of 80 columns. A command to paste keeps its own line and is never broken. */
export function printCheck(checked: CheckResult): readonly string[] {
  const titles: Readonly<Record<CheckPart, string>> = {
    connection: "Connection",
    list: "The list",
    words: "Its words",
    whose: "Whose rows they are",
    machine: `Machine ${checked.machine ?? ""}`,
  };
  return [
    ...checkParts.flatMap((part) => {
      const findings = checked.findings.filter((finding) => finding.known === undefined && partOf(finding) === part);
      return findings.length === 0 ? [] : [titles[part], ...findings.flatMap(findingLines), ""];
    }),
    ...wrapped(summaryLine(checked), width, ""),
  ];
}

function findingLines({ verdict, says, why, then, set = [] }: CheckFinding): readonly string[] {
  return [
    ...wrapped(says, width, indent).map((line, index) =>
      index === 0 ? verdictMarks[verdict] + line.slice(indent.length) : line,
    ),
    ...(why === undefined ? [] : wrapped(why, width, indent)),
    ...(then === undefined ? [] : wrapped(then, width, `${indent}→ `, `${indent}  `)),
    ...set.map((command) => `${indent}    ${command.replaceAll("\n", " ")}`),
  ];
}

function summaryLine({ findings, requests }: CheckResult): string {
  const countOf = (verdict: CheckVerdict): number =>
    findings.filter((finding) => finding.known === undefined && finding.verdict === verdict).length;
  const [questions, faults] = [countOf("question"), countOf("fault")];
  const known = findings.filter((finding) => finding.known !== undefined).length;
  const rest = [
    ...(known > 0 ? [`${count(known, "known question is", "known questions are")} not asked again.`] : []),
    `${count(requests, "GET")}, nothing posted.`,
  ].join(" ");
  if (faults > 0)
    return `${count(faults, "fault")} (!!): restores would fail. ${questions > 0 ? `${count(questions, "question")} (??). ` : ""}${rest}`;
  if (questions > 0)
    return `${count(questions, "question")} (??): look at ${questions === 1 ? "it" : "them"} before you restore. ${rest}`;
  return `All is fine. ${rest}`;
}
