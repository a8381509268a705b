import { forTerminal } from "../../provider/plain/text";
import { knownAs, type KnownQuestions } from "../parts/known-questions";
import { worst, type Checked, type CheckFinding, type SeenWord } from "./outcome";
import type { Survey } from "./survey";
import { connectionFindings } from "./connection";
import { listFindings } from "./list";
import { machineFindings } from "./machine";
import { pointFindings } from "./points";
import { tieFindings } from "./ties";
import { actionsSeen, statusesSeen, wordFindings } from "./words";

/** What was read, judged. A panel may repeat the password in any of its words, so every text goes through the redactor. */
export function judge(survey: Survey, known: KnownQuestions = { questions: [] }): Checked {
  const { settings, list, exchanges, machine } = survey;
  const { redact } = survey;
  const text = (value: string): string => forTerminal(redact(value));
  const isRead = list.error === undefined || list.rows.length > 0;
  const findings = [
    ...connectionFindings(survey),
    ...(isRead
      ? [
          ...listFindings(survey),
          ...wordFindings(survey),
          ...tieFindings(survey),
          ...machineFindings(survey),
          ...pointFindings(survey),
        ]
      : []),
  ].map((finding) => accepted(printable(finding, text), known, new Date(survey.wallMs)));
  const words = (seen: readonly SeenWord[]): readonly SeenWord[] =>
    seen.map((one) => ({ ...one, word: text(one.word) }));
  return {
    formatVersion: 1,
    checkedAt: new Date(survey.wallMs).toISOString(),
    panel: text(survey.address),
    format: settings.format,
    ...(machine !== undefined && { machine: text(machine.id) }),
    verdict: worst(findings),
    requests: exchanges.length,
    rows: list.rows.length,
    findings,
    statuses: words(statusesSeen(survey)),
    actions: words(actionsSeen(survey)),
  };
}

/** That restores would fail is no question, and is never accepted. */
function accepted(finding: CheckFinding, known: KnownQuestions, now: Date): CheckFinding {
  const { code, verdict, says, why = "" } = finding;
  const entry = verdict === "question" ? knownAs({ code, text: `${says} ${why}` }, known, now) : undefined;
  return entry === undefined ? finding : { ...finding, known: entry.why };
}

function printable(finding: CheckFinding, text: (value: string) => string): CheckFinding {
  const { code, verdict, says, why, then, set } = finding;
  return {
    code,
    verdict,
    says: text(says),
    ...(why !== undefined && { why: text(why) }),
    ...(then !== undefined && { then: text(then) }),
    ...(set !== undefined && { set: set.map(text) }),
  };
}
