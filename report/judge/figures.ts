import type { Clock, Counts, Measured, NotCarriedOut, Step, Goal } from "../model/model";
import { known, earliest, secondsBetween } from "../state/values";

export function measuredOf(steps: readonly Step[], recoveryTimeSeconds: number | undefined): Measured {
  return known({
    recoveryTimeSeconds,
    slowest: longest(steps, ({ recoveredSeconds }) => recoveredSeconds),
    oldestData: longest(steps, ({ dataAgeSeconds }) => dataAgeSeconds),
  });
}

function longest(
  steps: readonly Step[],
  of: (step: Step) => number | undefined,
): { readonly restore: string; readonly seconds: number } | undefined {
  let most: { readonly restore: string; readonly seconds: number } | undefined;
  for (const step of steps) {
    const seconds = of(step);
    if (seconds !== undefined && (most === undefined || seconds > most.seconds)) most = { restore: step.name, seconds };
  }
  return most;
}

export function countsOf(steps: readonly Step[], notCarriedOut: readonly NotCarriedOut[], planned?: number): Counts {
  const ended = (result: Step["result"]): number => steps.filter((step) => step.result === result).length;
  const checked = (result: "passed" | "failed" | "not run"): number =>
    steps.reduce((sum, { checks }) => sum + checks.filter((check) => check.result === result).length, 0);
  const begun = notCarriedOut.filter(({ what }) => what === "outcome not stored").length;
  return {
    planned: Math.max(planned ?? 0, steps.length + notCarriedOut.length),
    complete: ended("complete"),
    failed: ended("failed"),
    cancelled: ended("cancelled"),
    unfinished: ended("unfinished") + begun,
    notCarriedOut: notCarriedOut.length - begun,
    adopted: steps.filter(({ adopted }) => adopted).length,
    checks: { passed: checked("passed"), failed: checked("failed"), notRun: checked("not run") },
  };
}

/** Which clock measured what: the panel's stamps and the runner's are not of one clock, and are never subtracted. */
export function clocksOf(steps: readonly Step[]): readonly Clock[] {
  const checked = steps.some(({ checks }) => checks.length > 0);
  const aged = steps.some(({ dataAgeSeconds }) => dataAgeSeconds !== undefined);
  return [
    { figure: "queued", clock: "panel", from: "the panel recorded the request", to: "the restore began to run" },
    { figure: "ran", clock: "panel", from: "the restore began to run", to: "its last part ended" },
    ...(checked
      ? [
          {
            figure: "checked",
            clock: "runner" as const,
            from: "the runner saw the end",
            to: "the last check passed or gave up",
          },
        ]
      : []),
    {
      figure: "recovered in",
      clock: "panel",
      from: "the panel recorded the request",
      to: checked
        ? "its last part ended, and in addition the time of its checks by the runner's clock"
        : "its last part ended",
    },
    ...(aged
      ? [
          {
            figure: "data age",
            clock: "as given" as const,
            from: "the recovery point was taken, as the plan gives it",
            to: "the incident, or else the first request",
          },
        ]
      : []),
  ];
}

/** What a restore was to reach, whether it was carried out or not. */
export interface Aim {
  readonly restore: string;
  readonly step?: Step | undefined;
  readonly recoveryTimeSeconds?: number | undefined;
  readonly dataAgeSeconds?: number | undefined;
}

export function goalsOf(aims: readonly Aim[]): readonly Goal[] {
  return aims.flatMap(({ restore, step, recoveryTimeSeconds, dataAgeSeconds }) => [
    ...goal({ scope: "restore", restore, goal: "recoveryTime" }, recoveryTimeSeconds, step?.recoveredSeconds),
    ...goal({ scope: "restore", restore, goal: "dataAge" }, dataAgeSeconds, step?.dataAgeSeconds),
  ]);
}

export function wholeGoal(target: number | undefined, measured: number | undefined): readonly Goal[] {
  return goal({ scope: "whole", goal: "recoveryTime" }, target, measured);
}

function goal(
  about: Pick<Goal, "scope" | "goal" | "restore">,
  targetSeconds: number | undefined,
  measuredSeconds: number | undefined,
): readonly Goal[] {
  if (targetSeconds === undefined) return [];
  if (measuredSeconds === undefined) return [{ ...about, targetSeconds, verdict: "not measured" }];
  const marginSeconds = targetSeconds - measuredSeconds;
  return [{ ...about, targetSeconds, measuredSeconds, marginSeconds, verdict: marginSeconds >= 0 ? "met" : "missed" }];
}

/**
 * From the first request to the last end or check, once every restore was recovered: before, it would be no recovery time. As
 * in the plan's own verdict, the time until the runner saw an end is left out: it would compare the clocks of two machines.
 */
export function wholeSeconds(steps: readonly Step[], missing: number, from: string | undefined): number | undefined {
  if (missing > 0 || steps.length === 0) return undefined;
  const recovered = steps.every(
    ({ result, checks }) => result === "complete" && checks.every((check) => check.result === "passed"),
  );
  if (!recovered || from === undefined) return undefined;
  let last = 0;
  for (const { finishedAt, checkedSeconds, checks } of steps) {
    const ended = secondsBetween(from, finishedAt);
    if (ended === undefined || (checks.length > 0 && checkedSeconds === undefined)) return undefined;
    last = Math.max(last, ended + (checks.length > 0 ? (checkedSeconds ?? 0) : 0));
  }
  return last;
}

export function firstRequest(steps: readonly Step[]): string | undefined {
  return earliest(steps.map(({ requestedAt }) => requestedAt));
}

/**
 * How old the data is that a restore brought back: from when its point was taken to the incident. Data that was not restored has no
 * age, however old its recovery point is.
 */
export function withDataAge({ dataAgeSeconds, ...step }: Step, incidentAt: string | undefined): Step {
  if (step.result !== "complete") return step;
  const age = dataAgeSeconds ?? secondsBetween(step.recoveryPointTakenAt, incidentAt);
  return age === undefined ? step : { ...step, dataAgeSeconds: age };
}
