import type { Assessment } from "../../provider/plan/verdict";
import type { Verdict, VerdictWord } from "../model/model";
import type { StoredPlanVerdict } from "../state/plan-run";
import type { PendingOperation } from "../state/read-state";

/** All that a verdict is told from. */
export interface VerdictInputs {
  /** What the restores come to, by the rules of the run's own verdict. */
  readonly assessment: Assessment;
  readonly planned: number;
  readonly pending: readonly PendingOperation[];
  /** What keeps the state from being read as a whole. */
  readonly unreadable: readonly string[];
  /** What is remarkable, and no failure. */
  readonly remarks: number;
  readonly stored: StoredPlanVerdict | "missing" | "none expected";
}

const maxReasons = 20;

/** From worst to best. A report never says better than the rules of the verdict do. */
const worstFirst: readonly VerdictWord[] = ["failed", "incomplete", "passed with warnings", "passed"];

/**
 * What is unknown never passes. A run that broke off is incomplete whatever it had done by then: the next one goes on.
 * A run's own verdict counts unless the rest of the state contradicts it.
 */
export function verdictFrom(evidence: VerdictInputs): Verdict {
  const { assessment: judged, stored, pending } = evidence;
  const decided = typeof stored === "string" ? undefined : stored;
  const decidedAt = decided?.decidedAt === undefined ? {} : { decidedAt: decided.decidedAt };
  const gaps = [...judged.gaps, ...otherGaps(evidence)];
  const derivedVerdict = (result: VerdictWord, reasons: readonly string[]): Verdict => ({
    result,
    reasons: shortened(reasons),
    from: "derived",
  });

  if (pending.length > 0) return derivedVerdict("incomplete", [interruptedText(pending), ...judged.failures, ...gaps]);
  if (decided?.result === "failed" || decided?.result === "incomplete") {
    const reasons = decided.reasons.length > 0 ? decided.reasons : [...judged.failures, ...gaps];
    return { result: decided.result, reasons: shortened(reasons), from: "stored", ...decidedAt };
  }
  const contradictions =
    decided?.result === undefined
      ? []
      : ["The stored verdict says passed; the rest of the state does not bear it out."];
  if (judged.failures.length > 0) return derivedVerdict("failed", [...judged.failures, ...gaps, ...contradictions]);
  if (gaps.length > 0) return derivedVerdict("incomplete", [...gaps, ...contradictions]);
  // The run's own verdict has judged what is remarkable about it by the same rules.
  const isRemarkable = decided?.result === undefined && evidence.remarks > 0;
  const warned = isRemarkable || judged.warnings.length > 0 ? "passed with warnings" : "passed";
  if (decided?.result !== undefined && worstFirst.indexOf(decided.result) <= worstFirst.indexOf(warned)) {
    return { result: decided.result, reasons: shortened(decided.reasons), from: "stored", ...decidedAt };
  }
  return derivedVerdict(warned, judged.warnings);
}

function interruptedText(pending: readonly PendingOperation[]): string {
  const [first] = pending;
  const others = pending.length > 1 ? ` and ${String(pending.length - 1)} more` : "";
  return `The run broke off: the engine was ${first?.operation ?? "at work on"} ${first?.name ?? ""}${others} when it was last heard of, and how that ended is not in the state.`;
}

/** What is not known besides what became of the restores. */
function otherGaps({ planned, unreadable, stored }: VerdictInputs): readonly string[] {
  const decided = typeof stored === "string" ? undefined : stored;
  const counted = decided?.planned;
  return [
    ...unreadable,
    ...(stored === "missing" ? ["The run has stored no verdict."] : []),
    ...(decided !== undefined && decided.result === undefined
      ? ["The stored verdict is in a form that this release does not know."]
      : []),
    ...(decided?.about === "an earlier plan"
      ? ["The plan was changed after its verdict was given, in the same run, and the changed plan has none yet."]
      : []),
    ...(counted !== undefined && counted > planned
      ? [`The verdict counts ${String(counted)} planned restores, and the state holds ${String(planned)}.`]
      : []),
    ...(planned === 0 ? ["The state holds no restore."] : []),
  ];
}

function shortened(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= maxReasons) return reasons;
  return [...reasons.slice(0, maxReasons), `… and ${String(reasons.length - maxReasons)} more.`];
}
