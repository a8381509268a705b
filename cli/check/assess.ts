import { forTerminal } from "../../provider/plain/text";
import { findKnownQuestion, type KnownQuestions } from "../parts/known-questions";
import { cleaned } from "../parts/words";
import { connectionFindings } from "./connection";
import { listFindings } from "./list";
import { machineFindings } from "./machine";
import { type CheckFinding, type PanelCheckResult, type SeenWord, worstVerdict } from "./result";
import { outlookFindings, outlookOf, rowFindings } from "./rows";
import type { Survey } from "./survey";
import { actionsSeen, statusesSeen, wordFindings } from "./words";

/** Judges everything that was read from the panel. */
export function assessPanel(survey: Survey, known: KnownQuestions): PanelCheckResult {
  const { settings, list, exchanges, machine, wallMs } = survey;
  const listed = list && { ...survey, list };
  const ofList = listed && [listFindings(list), wordFindings(listed), rowFindings(listed), machineFindings(listed)];
  const all = [...connectionFindings(survey), ...(ofList?.flat() ?? [])];
  const outlook = listed && worstVerdict(all) !== "fault" ? outlookOf(listed) : undefined;
  const findings = [...all, ...(outlook ? outlookFindings(outlook) : [])].map((finding) =>
    ifAccepted(cleaned(finding, forTerminal), known, new Date(wallMs)),
  );
  const cleanWords = (seen: readonly SeenWord[]): readonly SeenWord[] =>
    seen.map((one) => ({ ...one, word: forTerminal(one.word) }));
  const verdict = worstVerdict(findings);
  return {
    formatVersion: 1,
    checkedAt: new Date(wallMs).toISOString(),
    panel: forTerminal(survey.address),
    format: settings.format,
    ...(machine !== undefined && { machine: forTerminal(machine.id) }),
    verdict,
    isAccepted:
      verdict === "question" && findings.every((one) => one.verdict !== "question" || one.accepted !== undefined),
    requests: exchanges.length,
    rows: list?.rows.length ?? 0,
    ...(outlook && { outlook }),
    findings,
    statuses: listed ? cleanWords(statusesSeen(listed)) : [],
    actions: listed ? cleanWords(actionsSeen(listed)) : [],
  };
}

/** Only a question can be accepted, never a fault. */
function ifAccepted(finding: CheckFinding, known: KnownQuestions, now: Date): CheckFinding {
  const { code, verdict, says, why = "" } = finding;
  const entry = verdict === "question" ? findKnownQuestion({ code, text: `${says} ${why}` }, known, now) : undefined;
  return entry === undefined ? finding : { ...finding, accepted: entry.why };
}
