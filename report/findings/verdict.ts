import type { Assessment } from "../../provider/plan/verdict";
import { numberText } from "../model/format";
import type { Verdict, VerdictWord } from "../model/model";
import type { StoredPlanVerdict } from "../state/plan-run";
import type { PendingOperation } from "../state/read-state";

/** The facts that a verdict is derived from. */
export interface VerdictInputs {
  /** The restores, judged by the rules of the run's own verdict. */
  readonly assessment: Assessment;
  readonly planned: number;
  readonly pending: readonly PendingOperation[];
  /** Why the state cannot be read in full. */
  readonly unreadable: readonly string[];
  /** The number of deviations. */
  readonly remarks: number;
  readonly stored: StoredPlanVerdict | "missing" | "none expected";
}

const maxReasons = 20;

/**
 * The verdict of a report, judged from the state. Nothing unknown passes, and a run that broke off is incomplete: the next one continues it.
 * The run's own verdict is a copy: it says when it was decided, and nothing rests on it.
 */
export function verdictFrom(evidence: VerdictInputs): Verdict {
  const { assessment, stored, pending } = evidence;
  const decided = typeof stored === "string" ? undefined : stored;
  const decidedAt = decided?.decidedAt === undefined ? {} : { decidedAt: decided.decidedAt };
  const gaps = [...assessment.gaps, ...otherGaps(evidence)];
  const derivedVerdict = (result: VerdictWord, reasons: readonly string[]): Verdict => ({
    result,
    reasons: shortened(reasons),
    from: "derived",
  });

  const judged = (result: VerdictWord, reasons: readonly string[]): Verdict =>
    decided?.result === result
      ? { result, reasons: shortened(reasons), from: "stored", ...decidedAt }
      : derivedVerdict(result, reasons);

  if (pending.length > 0)
    return derivedVerdict("incomplete", [interruptedText(pending), ...assessment.failures, ...gaps]);
  const contradictions =
    decided?.result === "passed" || decided?.result === "passed with warnings"
      ? ["The stored verdict says passed, but the rest of the state contradicts it."]
      : [];
  if (assessment.failures.length > 0) return judged("failed", [...assessment.failures, ...gaps, ...contradictions]);
  if (gaps.length > 0) return judged("incomplete", [...gaps, ...contradictions]);
  if (decided?.result === "failed" || decided?.result === "incomplete")
    return derivedVerdict("incomplete", [outdatedText(decided.result)]);
  if (assessment.warnings.length > 0) return judged("passed with warnings", assessment.warnings);
  // A report says no more than the run's own verdict, which counts deviations by the same rules.
  if (decided?.result === "passed with warnings") return judged(decided.result, decided.reasons);
  return judged(decided?.result === undefined && evidence.remarks > 0 ? "passed with warnings" : "passed", []);
}

/** What has changed since the run judged itself, by a refresh or by hand, is not passed by a report alone. */
function outdatedText(stored: VerdictWord): string {
  return `The run's own verdict is ${stored}, and the records in the state have changed since. \`pulumi up\` judges again and posts nothing for it.`;
}

function interruptedText(pending: readonly PendingOperation[]): string {
  const [first] = pending;
  const others = pending.length > 1 ? ` and ${numberText(pending.length - 1)} more` : "";
  return `The run broke off while the engine was ${first?.operation ?? "at work on"} ${first?.name ?? ""}${others}; the state does not say how that ended.`;
}

/** Gaps beside those of the restores. */
function otherGaps({ planned, unreadable, stored }: VerdictInputs): readonly string[] {
  const decided = typeof stored === "string" ? undefined : stored;
  const counted = decided?.planned;
  return [
    ...unreadable,
    ...(stored === "missing" ? ["The run has stored no verdict."] : []),
    ...(decided !== undefined && decided.result === undefined
      ? ["This release does not know the form of the stored verdict."]
      : []),
    ...(decided?.about === "an earlier plan"
      ? ["The plan was changed after this run's verdict, and the changed plan has no verdict yet."]
      : []),
    ...(counted !== undefined && counted > planned
      ? [`The verdict counts ${numberText(counted)} planned restores, but the state holds ${numberText(planned)}.`]
      : []),
    ...(planned === 0 ? ["The state holds no restore."] : []),
  ];
}

function shortened(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= maxReasons) return reasons;
  return [...reasons.slice(0, maxReasons), `… and ${numberText(reasons.length - maxReasons)} more.`];
}
