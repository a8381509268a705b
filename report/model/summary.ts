import { capitalized } from "../../provider/plain/text";
import { formatDuration } from "../../provider/inputs/duration";
import { groupBy } from "../../provider/plain/plain";
import { countText, numberText, spanText, timeText } from "./format";
import type { Check, ChosenBy, Goal, GoalWord, Report, Step } from "./model";

/* Phrases and selections that all formats share. */

export function titleOf({ scope, run }: Report): string {
  // A state without resources does not name its stack.
  if (scope.name === "restores") return "Restores";
  const what = { drill: "Recovery drill", recovery: "Recovery", "not stated": "Restores" }[run.kind];
  return `${what}: ${scope.name}${run.name === undefined ? "" : ` · ${run.name}`}`;
}

/** `Failed`; for a state written during a run, `Incomplete: the run is under way, or was interrupted`. */
export function verdictLine({ verdict: { result, progress } }: Report): string {
  return capitalized(progress === undefined ? result : `${result}: the run ${progress}`);
}

/** The counts of a run, each in words. */
export function tallyOf({ counts: { planned, complete, states, checks } }: Report): readonly string[] {
  const others = Object.entries(states).flatMap(([state, count]) =>
    state === "complete" ? [] : [`${numberText(count)} ${state}`],
  );
  const all = checks.passed + checks.failed + checks.notRun;
  return [
    planned === 0 ? "No restores" : `${numberText(complete)} of ${countText(planned, "restore")} complete`,
    ...others,
    ...(all > 0 ? [`${numberText(checks.passed)} of ${countText(all, "check")} passed`] : []),
  ];
}

export function allSteps({ waves }: Report): readonly Step[] {
  return waves.flatMap(({ restores }) => restores);
}

/** A figure of the run, with its goals. */
export interface Figure {
  readonly name: string;
  readonly seconds?: number;
  /** The restore that has this figure. */
  readonly restore?: string;
  /** `goal 50m met`, or for the restores' own goals `2 of 3 goals met`. */
  readonly goals?: { readonly text: string; readonly is: GoalWord };
}

export function figuresOf(report: Report): readonly Figure[] {
  const { measured, goals, scope } = report;
  const { recoveryTimeSeconds, slowest, oldestData } = measured;
  const isPart = slowest !== undefined && allSteps(report).some((step) => step.recoveredSeconds === undefined);
  const whole = goals.find(({ restore }) => restore === undefined);
  const times = goalTally(goals, "recoveryTime");
  const ages = goalTally(goals, "dataAge");
  return [
    ...(scope.kind === "plan"
      ? [
          {
            name: "Recovery time",
            ...(recoveryTimeSeconds !== undefined && { seconds: recoveryTimeSeconds }),
            ...(whole && { goals: { text: goalResultText(whole), is: whole.result } }),
          },
        ]
      : []),
    { name: isPart ? "Slowest measured" : "Slowest restore", ...slowest, ...(times && { goals: times }) },
    { name: "Oldest data", ...oldestData, ...(ages && { goals: ages }) },
  ];
}

function goalTally(goals: readonly Goal[], kind: Goal["goal"]): Figure["goals"] {
  const these = goals.filter(({ goal, restore }) => goal === kind && restore !== undefined);
  if (these.length === 0) return undefined;
  const met = these.filter(({ result }) => result === "met").length;
  return {
    text: `${numberText(met)} of ${countText(these.length, "goal")} met`,
    is: (["missed", "not measured"] as const).find((word) => these.some(({ result }) => result === word)) ?? "met",
  };
}

/** `goal 20m missed` */
export function goalResultText({ targetSeconds, result }: Goal): string {
  return `goal ${formatDuration(targetSeconds)} ${result}`;
}

/** The goals of the restores, by name. */
export function goalsByRestore({ goals }: Report): ReadonlyMap<string, readonly Goal[]> {
  const ofRestores = goals.filter(({ restore }) => restore !== undefined);
  return groupBy(ofRestores, ({ restore = "" }) => restore);
}

/** The goals to show for a restore. Goals that could not be measured are mentioned only for complete restores, because other restores have no times. */
export function goalsShown({ name, state }: Step, goals: ReadonlyMap<string, readonly Goal[]>): readonly Goal[] {
  return (goals.get(name) ?? []).filter(({ result }) => result !== "not measured" || state === "complete");
}

/** True if a restore needs no explanation: it is complete, checked and in time, at the first attempt and without warnings. */
export function isAsPlanned(step: Step, goals: readonly Goal[] = []): boolean {
  const { state, adopted, warnings, checks, earlierAttempts = [] } = step;
  return (
    state === "complete" &&
    !adopted &&
    warnings.length === 0 &&
    checks.every(({ failedBefore }) => failedBefore !== true) &&
    earlierAttempts.length === 0 &&
    goals.every(({ result }) => result === "met")
  );
}

/** `the newest, before the incident at 2026-11-20T09:30:00Z; 5 of 12 listed points matched` */
export function chosenText({ rule, listed, fitted, incidentAt }: ChosenBy): string {
  const incident = incidentAt === undefined ? "" : `, before the incident at ${incidentAt}`;
  const count =
    listed === undefined || fitted === undefined
      ? ""
      : `; ${numberText(fitted)} of ${countText(listed, "listed point")} matched`;
  return `${rule}${incident}${count}`;
}

/** What is shown in place of a recovery point. */
export function pointNotShownText({ adopted, state }: Step): string {
  if (adopted) return "the transaction does not show the point";
  return state === "not sent" ? "no point chosen yet" : "the state does not show the point";
}

/** `tcp 10.0.0.43: passed in 41s` */
export function checkText({ name, result, seconds, attempts, later, failedBefore }: Check): string {
  const took = seconds === undefined ? "" : ` ${result === "passed" ? "in" : "after"} ${formatDuration(seconds)}`;
  const often = attempts === undefined || result === "passed" ? "" : `, ${countText(attempts, "attempt")}`;
  const more = [...(later === true ? ["added later"] : []), ...(failedBefore === true ? ["failed before"] : [])];
  return `${name}: ${result}${took}${often}${more.length > 0 ? ` (${more.join(", ")})` : ""}`;
}

/** `machine 42`, `2 paths of machine 42` */
export function machineText({ virtualMachineId, paths }: Step): string {
  return `${paths === undefined ? "" : `${countText(paths.length, "path")} of `}machine ${virtualMachineId}`;
}

/** `queued 18s, ran 24m 12s`, and a remark if the runner's clock measured the time. */
export function timesText({ queuedSeconds, ranSeconds, clock }: Step): string | undefined {
  const parts = [
    queuedSeconds === undefined ? [] : `queued ${formatDuration(queuedSeconds)}`,
    ranSeconds === undefined ? [] : `ran ${formatDuration(ranSeconds)}`,
    clock === "own" ? "measured by the runner’s clock" : [],
  ].flat();
  return parts.length === 0 ? undefined : parts.join(", ");
}

/** `2026-11-21 11:39:36 to 12:04:47 UTC`, or `requested` or `finished` with the only known time. */
export function spanOf({ requestedAt, finishedAt }: Pick<Step, "requestedAt" | "finishedAt">): string | undefined {
  if (requestedAt === undefined) return finishedAt && `finished ${timeText(finishedAt)}`;
  return finishedAt === undefined ? `requested ${timeText(requestedAt)}` : spanText(requestedAt, finishedAt);
}

/** Shown below every report, so that nobody overestimates what it proves. */
export const disclaimer =
  "This report states what was measured and stored. What it proves, and to whom, is for its readers to judge.";

/** Shown below the restores. */
export const clocksText =
  "Restore times come from the panel’s timestamps, unless a restore says otherwise; checks are timed by the runner’s clock.";

/** The facts that an auditor asks for, by name, in the order in which every format shows them. */
export function stackOf({ scope: { stack, project } }: Report): readonly string[] {
  return stack === undefined ? [] : [`${stack}${project === undefined ? "" : `, project ${project}`}`];
}

export function evidenceOf({ run, source }: Report): readonly (readonly [string, string])[] {
  const { user, host, pipeline = {}, notes = {} } = run;
  const versions = Object.entries(source.versions).map(([name, one]) => `${name} ${one}`);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ...Object.entries(notes).map(([name, text]) => [capitalized(name), text] as const),
    ["Run by", [user, host].filter((part) => part !== undefined).join(" on ") || undefined],
    ["Pipeline", pipeline["name"]],
    ["Panel", run.panels.join(", ") || undefined],
    ["Versions", versions.join(", ") || undefined],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
