import { forTerminal } from "../../provider/plain/text";
import { findKnownQuestion, type KnownQuestions } from "../parts/known-questions";
import { worstVerdict, type CheckResult, type CheckFinding, type SeenWord } from "./result";
import type { Survey } from "./survey";
import { connectionFindings } from "./connection";
import { listFindings } from "./list";
import { machineFindings } from "./machine";
import { pointFindings } from "./points";
import { whoseFindings } from "./whose-rows";
import { actionsSeen, statusesSeen, wordFindings } from "./words";

/** Judges what was read. A panel may repeat the password in any of its words, so every text is redacted. */
export function assessPanel(survey: Survey, known: KnownQuestions = { questions: [] }): CheckResult {
  const { settings, list, exchanges, machine } = survey;
  const { redact } = survey;
  const sanitize = (value: string): string => forTerminal(redact(value));
  const isRead = list.error === undefined || list.rows.length > 0;
  const findings = [
    ...connectionFindings(survey),
    ...(isRead
      ? [
          ...listFindings(survey),
          ...wordFindings(survey),
          ...whoseFindings(survey),
          ...machineFindings(survey),
          ...pointFindings(survey),
        ]
      : []),
  ].map((finding) => markIfKnown(sanitizeFinding(finding, sanitize), known, new Date(survey.wallMs)));
  const sanitizeWords = (seen: readonly SeenWord[]): readonly SeenWord[] =>
    seen.map((one) => ({ ...one, word: sanitize(one.word) }));
  return {
    formatVersion: 1,
    checkedAt: new Date(survey.wallMs).toISOString(),
    panel: sanitize(survey.address),
    format: settings.format,
    ...(machine !== undefined && { machine: sanitize(machine.id) }),
    verdict: worstVerdict(findings),
    requests: exchanges.length,
    rows: list.rows.length,
    findings,
    statuses: sanitizeWords(statusesSeen(survey)),
    actions: sanitizeWords(actionsSeen(survey)),
  };
}

/** Only a question can be known and accepted, never a fault. */
function markIfKnown(finding: CheckFinding, known: KnownQuestions, now: Date): CheckFinding {
  const { code, verdict, says, why = "" } = finding;
  const entry = verdict === "question" ? findKnownQuestion({ code, text: `${says} ${why}` }, known, now) : undefined;
  return entry === undefined ? finding : { ...finding, known: entry.why };
}

function sanitizeFinding(finding: CheckFinding, sanitize: (value: string) => string): CheckFinding {
  const { code, verdict, says, why, then, set } = finding;
  return {
    code,
    verdict,
    says: sanitize(says),
    ...(why !== undefined && { why: sanitize(why) }),
    ...(then !== undefined && { then: sanitize(then) }),
    ...(set !== undefined && { set: set.map(sanitize) }),
  };
}
