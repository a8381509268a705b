import { formatDuration } from "../../provider/inputs/duration";
import type { Redact } from "../../provider/panel/secrets";
import { forTerminal } from "../../provider/plain/text";

export const checkParts = ["connection", "list", "words", "whose", "machine"] as const;
export type CheckPart = (typeof checkParts)[number];

/** *question*: somebody should look at it before a restore. *fault*: restores would fail. */
export type CheckVerdict = "fine" | "question" | "fault";

/** One thing learned about the panel. The code is stable; the texts are for people. */
export interface CheckFinding {
  readonly code: `${CheckPart}.${string}`;
  readonly verdict: CheckVerdict;
  readonly says: string;
  readonly why?: string;
  /** A sentence that says what to do. */
  readonly then?: string;
  /** Commands ready to paste. If there are several, only one of them is meant. */
  readonly set?: readonly string[];
  /** The reason given for a known question. */
  readonly known?: string;
}

export interface SeenWord {
  readonly word: string;
  readonly rows: number;
  readonly takenAs: string;
}

/** The result of a check, as `--json` prints it. Its schema lies beside this file. */
export interface CheckResult {
  readonly formatVersion: 1;
  readonly checkedAt: string;
  readonly panel: string;
  readonly format: "json" | "xml";
  readonly machine?: string;
  readonly verdict: CheckVerdict;
  readonly requests: number;
  readonly rows: number;
  readonly findings: readonly CheckFinding[];
  readonly statuses: readonly SeenWord[];
  readonly actions: readonly SeenWord[];
}

/** Known questions do not count. */
export function worstVerdict(findings: readonly CheckFinding[]): CheckVerdict {
  const verdicts = findings.filter(({ known }) => known === undefined).map(({ verdict }) => verdict);
  if (verdicts.includes("fault")) return "fault";
  return verdicts.includes("question") ? "question" : "fine";
}

export function partOf({ code }: CheckFinding): CheckPart {
  return checkParts.find((part) => code.startsWith(`${part}.`)) ?? "connection";
}

/** A word of the panel, cut so that it fits into a sentence. */
export function shortened(word: string, redact: Redact): string {
  const line = forTerminal(redact(word)).replaceAll(/\s+/g, " ");
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}

/** Whole seconds, as people say them. */
export function formatSpan(seconds: number): string {
  return formatDuration(Math.round(Math.abs(seconds)));
}
