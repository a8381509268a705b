import type { Assessment } from "../../provider/plan/verdict";
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

/** A report's verdict is never better than the rules allow. */
const worstFirst: readonly VerdictWord[] = ["failed", "incomplete", "passed with warnings", "passed"];

/**
 * The verdict of a report. Nothing unknown passes, and a run that broke off is incomplete: the next one continues it.
 * The run's own verdict counts unless the rest of the state contradicts it.
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

  if (pending.length > 0)
    return derivedVerdict("incomplete", [interruptedText(pending), ...assessment.failures, ...gaps]);
  if (decided?.result === "failed" || decided?.result === "incomplete") {
    const reasons = decided.reasons.length > 0 ? decided.reasons : [...assessment.failures, ...gaps];
    return { result: decided.result, reasons: shortened(reasons), from: "stored", ...decidedAt };
  }
  const contradictions =
    decided?.result === undefined ? [] : ["The stored verdict says passed, but the rest of the state contradicts it."];
  if (assessment.failures.length > 0)
    return derivedVerdict("failed", [...assessment.failures, ...gaps, ...contradictions]);
  if (gaps.length > 0) return derivedVerdict("incomplete", [...gaps, ...contradictions]);
  // The run's own verdict counts deviations by the same rules.
  const isRemarkable = decided?.result === undefined && evidence.remarks > 0;
  const warned = isRemarkable || assessment.warnings.length > 0 ? "passed with warnings" : "passed";
  if (decided?.result !== undefined && worstFirst.indexOf(decided.result) <= worstFirst.indexOf(warned)) {
    return { result: decided.result, reasons: shortened(decided.reasons), from: "stored", ...decidedAt };
  }
  return derivedVerdict(warned, assessment.warnings);
}

function interruptedText(pending: readonly PendingOperation[]): string {
  const [first] = pending;
  const others = pending.length > 1 ? ` and ${String(pending.length - 1)} more` : "";
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
      ? [`The verdict counts ${String(counted)} planned restores, but the state holds ${String(planned)}.`]
      : []),
    ...(planned === 0 ? ["The state holds no restore."] : []),
  ];
}

function shortened(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= maxReasons) return reasons;
  return [...reasons.slice(0, maxReasons), `… and ${String(reasons.length - maxReasons)} more.`];
}
