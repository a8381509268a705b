import type { Goal, NotCarriedOut, Step, Verdict } from "../model/model";
import type { StoredPlanVerdict } from "../state/plan-run";
import type { Pending } from "../state/read";

/** All that a verdict is told from. */
export interface Evidence {
  readonly steps: readonly Step[];
  readonly notCarriedOut: readonly NotCarriedOut[];
  readonly goals: readonly Goal[];
  readonly onMissedGoal: "fail" | "warn";
  readonly pending: readonly Pending[];
  /** What keeps the state from being read as a whole. */
  readonly unreadable: readonly string[];
  /** What is remarkable, and no failure. */
  readonly remarks: number;
  readonly stored: StoredPlanVerdict | "missing" | "none expected";
}

const mostReasons = 20;

/**
 * What is unknown never passes. A run that broke off is incomplete whatever it had done by then: the next one goes on.
 * A run's own verdict counts unless the rest of the state contradicts it.
 */
export function verdictFrom(evidence: Evidence): Verdict {
  const { stored, pending } = evidence;
  const decided = typeof stored === "string" ? undefined : stored;
  const decidedAt = decided?.decidedAt === undefined ? {} : { decidedAt: decided.decidedAt };
  const broken = pending.length > 0 ? [brokenOff(pending)] : [];
  const failures = failuresOf(evidence);
  const gaps = gapsOf(evidence);
  const derived = (result: Verdict["result"], reasons: readonly string[]): Verdict => ({
    result,
    reasons: bounded(reasons),
    from: "derived",
  });

  if (broken.length > 0) return derived("incomplete", [...broken, ...failures, ...gaps]);
  if (decided?.result === "failed" || decided?.result === "incomplete") {
    const reasons = decided.reasons.length > 0 ? decided.reasons : [...failures, ...gaps];
    return { result: decided.result, reasons: bounded(reasons), from: "stored", ...decidedAt };
  }
  const doubts =
    decided?.result === undefined
      ? []
      : ["The stored verdict says passed; the rest of the state does not bear it out."];
  if (failures.length > 0) return derived("failed", [...failures, ...gaps, ...doubts]);
  if (gaps.length > 0) return derived("incomplete", [...gaps, ...doubts]);
  if (decided?.result !== undefined) {
    return { result: decided.result, reasons: bounded(decided.reasons), from: "stored", ...decidedAt };
  }
  const warned = evidence.remarks > 0 || evidence.goals.some(({ verdict }) => verdict === "missed");
  return derived(warned ? "passed with warnings" : "passed", missedGoals(evidence));
}

function brokenOff(pending: readonly Pending[]): string {
  const [first] = pending;
  const others = pending.length > 1 ? ` and ${String(pending.length - 1)} more` : "";
  return `The run broke off: the engine was ${first?.operation ?? "at work on"} ${first?.name ?? ""}${others} when it was last heard of, and how that ended is not in the state.`;
}

function failuresOf({ steps, goals, onMissedGoal }: Evidence): readonly string[] {
  const ended = steps.flatMap(({ name, result }) =>
    result === "failed" || result === "cancelled" ? [`The restore ${name} ended as ${result}.`] : [],
  );
  const checks = steps.flatMap(({ name, checks }) =>
    checks.flatMap(({ kind, target, result }) =>
      result === "failed" ? [`A check of ${name} failed: ${kind} ${target}.`] : [],
    ),
  );
  return [...ended, ...checks, ...(onMissedGoal === "fail" ? missedGoals({ goals }) : [])];
}

function missedGoals({ goals }: Pick<Evidence, "goals">): readonly string[] {
  return goals.flatMap(({ verdict, goal, restore }) =>
    verdict === "missed"
      ? [`The ${goal === "recoveryTime" ? "recovery time" : "data age"} goal of ${restore ?? "the whole"} was missed.`]
      : [],
  );
}

function gapsOf({ steps, notCarriedOut, unreadable, stored, goals, pending }: Evidence): readonly string[] {
  const unfinished = steps.flatMap(({ name, result, status }) =>
    result === "unfinished" ? [`How the restore ${name} ends is not known: its last known status is ${status}.`] : [],
  );
  const unchecked = steps.flatMap(({ name, result, checks }) =>
    result === "complete" && checks.some((check) => check.result === "not run")
      ? [`Not every check of ${name} was run.`]
      : [],
  );
  const notStored = notCarriedOut.filter(({ what }) => what === "outcome not stored");
  const notBegun = notCarriedOut.length - notStored.length;
  const decided = typeof stored === "string" ? undefined : stored;
  const planned = decided?.planned;
  return [
    ...unfinished,
    ...notStored.map(({ restore }) => `The restore ${restore} was begun, and its outcome is not in the state.`),
    ...(notBegun > 0
      ? [`${notBegun === 1 ? "One restore was" : `${String(notBegun)} restores were`} not carried out.`]
      : []),
    ...unchecked,
    ...unreadable,
    ...(stored === "missing" && pending.length === 0 ? ["The run has stored no verdict."] : []),
    ...(decided !== undefined && decided.result === undefined
      ? ["The stored verdict is in a form that this release does not know."]
      : []),
    ...(decided?.about === "an earlier plan"
      ? ["The plan was changed after its verdict was given, in the same run, and the changed plan has none yet."]
      : []),
    ...(planned !== undefined && planned > steps.length + notCarriedOut.length
      ? [`The verdict counts ${String(planned)} planned restores, and the state holds ${String(steps.length)}.`]
      : []),
    ...(steps.length + notCarriedOut.length === 0 ? ["The state holds no restore."] : []),
    ...unmeasured({ goals, steps, notCarriedOut, stored }),
  ];
}

/** Whatever counts and is not measured is no pass. Of a machine that is not back, that it was not measured says nothing new. */
function unmeasured({
  goals,
  steps,
  notCarriedOut,
  stored,
}: Pick<Evidence, "goals" | "steps" | "notCarriedOut" | "stored">): readonly string[] {
  const isBack = ({ result, checks }: Step): boolean =>
    result === "complete" && checks.every((check) => check.result === "passed");
  const back = new Set(steps.filter(isBack).map(({ name }) => name));
  const open = goals.filter(({ verdict }) => verdict === "not measured");
  const whose = (kind: Goal["goal"]): string | undefined => {
    const amount = open.filter(
      ({ goal, restore }) => goal === kind && restore !== undefined && back.has(restore),
    ).length;
    return amount === 0 ? undefined : amount === 1 ? "one restore" : `${String(amount)} restores`;
  };
  const [times, ages] = [whose("recoveryTime"), whose("dataAge")];
  const tells = stored === "none expected" ? " `--taken-at POINT=TIME` tells." : "";
  return [
    ...(times === undefined
      ? []
      : [`The recovery time of ${times} was not measured: when it was requested or when it ended is not known.`]),
    ...(ages === undefined
      ? []
      : [`The data age of ${ages} was not measured: when the recovery point was taken is not known.${tells}`]),
    ...(open.some(({ scope }) => scope === "whole") && back.size === steps.length && notCarriedOut.length === 0
      ? ["The recovery time of the whole was not measured: a part of it is not known."]
      : []),
  ];
}

function bounded(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= mostReasons) return reasons;
  return [...reasons.slice(0, mostReasons), `… and ${String(reasons.length - mostReasons)} more.`];
}
