import { forTerminal } from "../../provider/plain/text";

export const checkParts = ["connection", "list", "words", "rows", "machine", "restores"] as const;
export type CheckPart = (typeof checkParts)[number];

/** *question*: somebody should look at it before a restore. *fault*: no restore would be sent, or none would end. */
export type CheckVerdict = "fine" | "question" | "fault";

/** One finding about the panel. The code is stable; the wording is for people. */
export interface CheckFinding {
  readonly code: `${CheckPart}.${string}`;
  readonly verdict: CheckVerdict;
  readonly says: string;
  /** The consequence for a restore. */
  readonly why?: string;
  /** A sentence that says what to do. */
  readonly then?: string;
  /** Commands ready to paste. If there are several, only one of them is meant. */
  readonly set?: readonly string[];
  /** Why somebody accepted this question. */
  readonly accepted?: string;
}

export interface SeenWord {
  readonly word: string;
  readonly rows: number;
  readonly meaning: string;
}

/** How a restore will proceed on this panel. */
export interface Outlook {
  /** `machine`: its row names the machine. `log`: the machine's log does. `turn`: its row appears next. `log or turn`: the log shows nothing yet. */
  readonly knownBy: "machine" | "log" | "turn" | "log or turn" | "not known";
  /** The most restores under way at once, where the panel limits it. */
  readonly atOnce?: number;
  /** The next `up`'s action for a restore whose run was interrupted: it takes the restore, or asks. */
  readonly afterKill: "taken" | "question" | "not known";
}

/** The result of a check, as `--json` prints it. Its schema is beside this file. */
export interface PanelCheckResult {
  readonly formatVersion: 1;
  readonly checkedAt: string;
  readonly panel: string;
  readonly format: "json" | "xml";
  readonly machine?: string;
  readonly verdict: CheckVerdict;
  /** Every question is accepted, and there is no fault: the exit code is 0. */
  readonly isAccepted: boolean;
  readonly requests: number;
  readonly rows: number;
  /** Absent if no restore would be sent. */
  readonly outlook?: Outlook;
  readonly findings: readonly CheckFinding[];
  readonly statuses: readonly SeenWord[];
  readonly actions: readonly SeenWord[];
}

export function worstVerdict(findings: readonly CheckFinding[]): CheckVerdict {
  const verdicts = findings.map(({ verdict }) => verdict);
  if (verdicts.includes("fault")) return "fault";
  return verdicts.includes("question") ? "question" : "fine";
}

/** A word of the panel, shortened to fit into a sentence. */
export function shortened(word: string): string {
  const line = forTerminal(word).replaceAll(/\s+/g, " ");
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}
