import { forTerminal } from "../../provider/plain/text";

export const checkParts = ["connection", "list", "words", "rows", "machine", "restores"] as const;
export type CheckPart = (typeof checkParts)[number];

/** *question*: someone should look into this before a restore. *fault*: no restore would be sent, or none would ever finish. */
export type CheckVerdict = "fine" | "question" | "fault";

/** One finding about the panel. The code is stable; the wording may change. */
export interface CheckFinding {
  readonly code: `${CheckPart}.${string}`;
  readonly verdict: CheckVerdict;
  readonly says: string;
  /** The consequence for a restore. */
  readonly why?: string;
  /** A sentence that says what to do. */
  readonly then?: string;
  /** Commands ready to paste. If there are several, they are alternatives. */
  readonly set?: readonly string[];
  /** The reason given for accepting this question. */
  readonly accepted?: string;
}

export interface SeenWord {
  readonly word: string;
  readonly rows: number;
  readonly meaning: string;
}

/** How a restore will proceed on this panel. */
export interface Outlook {
  /** How a restore is recognized: by the `machine` in its row, by the machine's `log`, or because its row is the next to appear (`turn`). */
  readonly knownBy: "machine" | "log" | "turn" | "log or turn" | "not known";
  /** The maximum number of restores under way at once, if the panel limits it. */
  readonly atOnce?: number;
  /** What the next `up` does about a restore from an interrupted run: it adopts the restore, or asks the user. */
  readonly afterKill: "taken" | "question" | "not known";
}

/** The result of a check, as `--json` prints it. Its schema is `schema/check-1.json`. */
export interface PanelCheckResult {
  readonly formatVersion: 1;
  readonly checkedAt: string;
  readonly panel: string;
  readonly format: "json" | "xml";
  readonly machine?: string;
  readonly verdict: CheckVerdict;
  /** True if there is no fault and every question is accepted. The exit code is then 0. */
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

/** A word from the panel, shortened to fit into a sentence. */
export function shortened(word: string): string {
  const line = forTerminal(word).replaceAll(/\s+/g, " ");
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}
