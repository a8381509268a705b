import { count, wrapped } from "../parts/words";
import { type CheckFinding, type CheckPart, checkParts, type PanelCheckResult, type CheckVerdict } from "./result";

const width = 80;
const indent = "     ";
const signs: Readonly<Record<CheckVerdict, string>> = { fine: " ok  ", question: " ??  ", fault: " !!  " };

/** Formats a result for a terminal of 80 columns. Lines meant for pasting are never wrapped. */
export function printCheck(checked: PanelCheckResult): readonly string[] {
  const titles: Readonly<Record<CheckPart, string>> = {
    connection: "Connection",
    list: "List of transactions",
    words: "Statuses and actions",
    rows: "Rows",
    machine: `Machine ${checked.machine ?? ""}`,
    restores: "How restores will work here",
  };
  return [
    ...checkParts.flatMap((part) => {
      const findings = checked.findings.filter(({ code }) => code.startsWith(`${part}.`));
      return findings.length === 0 ? [] : [titles[part], ...findings.flatMap(findingLines), ""];
    }),
    ...wrapped(summaryLine(checked), width, ""),
  ];
}

function findingLines({ code, verdict, says, why, then, set = [], accepted }: CheckFinding): readonly string[] {
  // An open question is shown with its code, which is needed to accept it.
  const isOpen = verdict === "question" && accepted === undefined;
  const [first = "", ...rest] = wrapped(isOpen ? `${says} [${code}]` : says, width, indent);
  return [
    signs[verdict] + first.slice(indent.length),
    ...rest,
    ...(why === undefined ? [] : wrapped(why, width, indent)),
    ...(accepted !== undefined
      ? wrapped(`(accepted: ${accepted})`, width, indent)
      : [
          ...(then === undefined ? [] : wrapped(then, width, `${indent}→ `, `${indent}  `)),
          ...set.map((command) => `${indent}    ${command.replaceAll("\n", " ")}`),
        ]),
  ];
}

function summaryLine({ findings, requests, verdict: worst }: PanelCheckResult): string {
  const questions = findings.filter(({ verdict }) => verdict === "question");
  const accepted = questions.filter((finding) => finding.accepted !== undefined).length;
  const open = questions.length - accepted;
  const faults = findings.filter(({ verdict }) => verdict === "fault").length;
  return [
    ...(faults > 0 ? [`${count(faults, "fault")} (!!): this panel cannot be used as it is.`] : []),
    ...(open > 0
      ? [
          `${count(open, "question")} (??): look at ${open === 1 ? "it" : "them"} before you restore, or accept ${open === 1 ? "it" : "them"} in recovery-known.json.`,
        ]
      : []),
    ...(accepted > 0 ? [`${count(accepted, "accepted question")}.`] : []),
    ...(worst === "fine" ? ["No problems found."] : []),
    `${count(requests, "GET")}, nothing posted.`,
  ].join(" ");
}
