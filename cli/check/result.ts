import { formatDuration } from "../../provider/inputs/duration";
import type { Redact } from "../../provider/panel/secrets";
import { forTerminal } from "../../provider/plain/text";

export const checkParts = ["connection", "list", "words", "ties", "machine"] as const;
export type CheckPart = (typeof checkParts)[number];

/** *question*: somebody should look at it before a restore. *fault*: restores would fail. */
export type CheckVerdict = "fine" | "question" | "fault";

/** One thing learned. The code is stable; the texts are for people. */
export interface CheckFinding {
  readonly code: `${CheckPart}.${string}`;
  readonly verdict: CheckVerdict;
  readonly says: string;
  readonly why?: string;
  /** What to do about it, as a sentence. */
  readonly then?: string;
  /** Commands that set it, ready to paste; where there are several, one of them is meant. */
  readonly set?: readonly string[];
  /** Why it is accepted, where it stands among the known questions. */
  readonly known?: string;
}

export interface SeenWord {
  readonly word: string;
  readonly rows: number;
  readonly takenAs: string;
}

/** What a check comes to; what `--json` prints, by the schema beside this. */
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

/** A question that is known is none any more. */
export function worstVerdict(findings: readonly CheckFinding[]): CheckVerdict {
  const verdicts = findings.filter(({ known }) => known === undefined).map(({ verdict }) => verdict);
  if (verdicts.includes("fault")) return "fault";
  return verdicts.includes("question") ? "question" : "fine";
}

export function partOf({ code }: CheckFinding): CheckPart {
  return checkParts.find((part) => code.startsWith(`${part}.`)) ?? "connection";
}

/** A word of the panel's for a line of text: on one line, and no longer than one can read. */
export function shortened(word: string, redact: Redact): string {
  const line = forTerminal(redact(word)).replaceAll(/\s+/g, " ");
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}

/** As people say it: whole seconds. */
export function formatSpan(seconds: number): string {
  return formatDuration(Math.round(Math.abs(seconds)));
}
