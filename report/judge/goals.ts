import type { Goal, Step } from "../model/model";
import { earliest } from "../state/stamps";
import { secondsBetween } from "../state/values";

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
    // Data that was not restored has no age yet, however old its recovery point is.
    ...goal(
      { scope: "restore", restore, goal: "dataAge" },
      dataAgeSeconds,
      step?.result === "complete" ? step.dataAgeSeconds : undefined,
    ),
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

/** How old the data is that a restore brought back: from when its point was taken to the incident. */
export function withDataAge(step: Step, incidentAt: string | undefined): Step {
  const age = step.dataAgeSeconds ?? secondsBetween(step.recoveryPointTakenAt, incidentAt);
  return age === undefined ? step : { ...step, dataAgeSeconds: age };
}
