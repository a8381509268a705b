import { firstFew } from "../../provider/plain/text";
import type { ChosenBy, Goal, Report, Step, Wave } from "./model";
import { capitalized, countText, goalNames, marginText, durationText, numberText } from "./format";

/* Texts and selections that all formats share. */

export function titleOf({ scope, run }: Report): string {
  const what = { drill: "Recovery drill", recovery: "Recovery", "not stated": "Restores" }[run.kind];
  return `${what}: ${scope.name}${run.name === undefined ? "" : ` · ${run.name}`}`;
}

export function verdictText({ verdict }: Report): string {
  return capitalized(verdict.result);
}

/** The counts of a run, one text each. */
export function tallyOf({ counts, goals }: Report): readonly string[] {
  const { passed, failed, notRun } = counts.checks;
  const checks = passed + failed + notRun;
  const met = goals.filter(({ verdict }) => verdict === "met").length;
  return [
    `${numberText(counts.complete)} of ${countText(counts.planned, "restore")} complete`,
    ...(checks > 0 ? [`${numberText(passed)} of ${countText(checks, "check")} passed`] : []),
    ...(goals.length > 0 ? [`${numberText(met)} of ${countText(goals.length, "goal")} met`] : []),
    ...(counts.notCarriedOut > 0 ? [`${numberText(counts.notCarriedOut)} not carried out`] : []),
  ];
}

export function stepsOf({ waves }: Report): readonly Step[] {
  return waves.flatMap(({ restores }) => restores);
}

export type StepState = Step["result"] | "check failed" | "not checked";

/** The restore's result, or the result of its checks if these did not all pass. */
export function stepState({ result, checks }: Step): StepState {
  if (result !== "complete") return result;
  if (checks.some((check) => check.result === "failed")) return "check failed";
  return checks.some((check) => check.result === "not run") ? "not checked" : "complete";
}

/** The names of a wave's resources in between, by whether they ran in this run; first those that did, or may have. */
export function namesBetween({ between = [] }: Wave): readonly { readonly names: string; readonly ran: boolean }[] {
  return [true, false].flatMap((ran) => {
    const names = between.filter(({ ranInRun = true }) => ranInRun === ran).map(({ name }) => name);
    return names.length === 0 ? [] : [{ names: firstFew(names), ran }];
  });
}

/** True if a restore needs no explanation: complete, checked, in time and without warnings. */
export function isAsPlanned(step: Step, goals: ReadonlyMap<string, Goal>): boolean {
  const { name, adopted, warnings, earlierTries = [], checks } = step;
  return (
    stepState(step) === "complete" &&
    !adopted &&
    warnings.length === 0 &&
    earlierTries.length === 0 &&
    checks.every(({ addedLater }) => addedLater !== true) &&
    (["recoveryTime", "dataAge"] as const).every((kind) => (goalFor(goals, kind, name)?.verdict ?? "met") === "met")
  );
}

/** Restores that need attention: `bad` are not good, `late` are good but missed a goal, worst first. */
export function attentionOf(report: Report): {
  readonly bad: readonly Step[];
  readonly late: readonly { readonly step: Step; readonly goals: readonly Goal[] }[];
} {
  const missed = new Map<string, Goal[]>();
  for (const goal of report.goals) {
    if (goal.verdict !== "missed" || goal.restore === undefined) continue;
    missed.set(goal.restore, [...(missed.get(goal.restore) ?? []), goal]);
  }
  const steps = stepsOf(report);
  const worst = (goals: readonly Goal[]): number =>
    goals.reduce((least, { marginSeconds = 0 }) => Math.min(least, marginSeconds), 0);
  return {
    bad: steps.filter((step) => stepState(step) !== "complete"),
    late: steps
      .flatMap((step) => {
        const goals = missed.get(step.name);
        return goals === undefined || stepState(step) !== "complete" ? [] : [{ step, goals }];
      })
      .sort((a, b) => worst(a.goals) - worst(b.goals)),
  };
}

/** `recovery time 5 h, 1 h over the goal of 4 h` */
export function missedText({ goal, measuredSeconds = 0, marginSeconds = 0, targetSeconds }: Goal): string {
  return `${goalNames[goal].toLowerCase()} ${durationText(measuredSeconds)}, ${marginText(marginSeconds)} the goal of ${durationText(targetSeconds)}`;
}

/** `the newest, before the incident at 2026-11-20T09:30:00Z: 5 of 12 listed fitted` */
export function chosenText({ rule, listed, fitted, incidentAt }: ChosenBy): string {
  const incident = incidentAt === undefined ? "" : `, before the incident at ${incidentAt}`;
  const count =
    listed === undefined || fitted === undefined
      ? ""
      : `: ${numberText(fitted)} of ${numberText(listed)} listed fitted`;
  return `${rule}${incident}${count}`;
}

/** A goal of one restore, or of the whole plan without a name. */
export function goalFor(goals: ReadonlyMap<string, Goal>, kind: Goal["goal"], restore?: string): Goal | undefined {
  return goals.get(goalKey(kind, restore));
}

export function goalsByKey({ goals }: Report): ReadonlyMap<string, Goal> {
  return new Map(goals.map((goal) => [goalKey(goal.goal, goal.restore), goal]));
}

function goalKey(kind: Goal["goal"], restore: string | undefined): string {
  return restore === undefined ? `whole ${kind}` : `${kind} of ${restore}`;
}

/** All goals of one kind: their results and the one with the least to spare. */
export interface GoalSummary {
  readonly kind: Goal["goal"];
  readonly scope: Goal["scope"];
  readonly targets: readonly [number, number];
  readonly met: number;
  readonly missed: number;
  readonly notMeasured: number;
  readonly tightest?: Goal;
}

export function goalSummaries({ goals }: Report): readonly GoalSummary[] {
  return (
    [
      ["whole", "recoveryTime"],
      ["restore", "recoveryTime"],
      ["restore", "dataAge"],
    ] as const
  ).flatMap(([scope, kind]) => {
    const these = goals.filter((goal) => goal.scope === scope && goal.goal === kind);
    if (these.length === 0) return [];
    const having = (word: Goal["verdict"]): number => these.filter(({ verdict }) => verdict === word).length;
    const tightest = these.reduce<Goal | undefined>(
      (a, b) => (b.marginSeconds !== undefined && b.marginSeconds < (a?.marginSeconds ?? Infinity) ? b : a),
      undefined,
    );
    const targets = these.map(({ targetSeconds }) => targetSeconds);
    return [
      {
        kind,
        scope,
        targets: [targets.reduce((a, b) => Math.min(a, b)), targets.reduce((a, b) => Math.max(a, b))] as const,
        met: having("met"),
        missed: having("missed"),
        notMeasured: having("not measured"),
        ...(tightest !== undefined && { tightest }),
      },
    ];
  });
}

/** Stands below every report, so nobody reads more into it. */
export const disclaimer =
  "This report states what was measured and stored. Its readers judge what it proves, and to whom.";
