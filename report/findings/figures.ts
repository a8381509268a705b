import { dataAge, recoveredSeconds, type Assessment } from "../../provider/plan/verdict";
import type { Clock, Counts, Goal, Measured, NotCarriedOut, Step } from "../model/model";
import { definedOnly } from "../state/values";

export function measuredOf(steps: readonly Step[], recoveryTimeSeconds: number | undefined): Measured {
  return definedOnly({
    recoveryTimeSeconds,
    slowest: restoreWithHighest(steps, ({ recoveredSeconds }) => recoveredSeconds),
    oldestData: restoreWithHighest(steps, ({ dataAgeSeconds }) => dataAgeSeconds),
  });
}

function restoreWithHighest(
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

/** The clock behind each figure. Times of the panel and of the runner are never subtracted. */
export function clocksOf(steps: readonly Step[]): readonly Clock[] {
  const checked = steps.some(({ checks }) => checks.length > 0);
  const aged = steps.filter(({ dataAgeSeconds }) => dataAgeSeconds !== undefined);
  const dataAge = { figure: "data age", to: "the incident, or else the first request" };
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
      to: checked ? "its last part ended, plus the time of its checks by the runner's clock" : "its last part ended",
    },
    ...(aged.some(({ chosenBy }) => chosenBy === undefined)
      ? [{ ...dataAge, clock: "as given" as const, from: "the recovery point was taken, as the plan gives it" }]
      : []),
    ...(aged.some(({ chosenBy }) => chosenBy !== undefined)
      ? [{ ...dataAge, clock: "panel" as const, from: "the recovery point was taken, as the panel's list says" }]
      : []),
  ];
}

/** A restore with the figures that the verdict uses. */
export function withFigures(step: Step, basis: Parameters<typeof dataAge>[1]): Step {
  return definedOnly({
    ...step,
    recoveredSeconds: recoveredSeconds(step),
    dataAgeSeconds: dataAge(step, basis),
  });
}

/** Goals in display order: the whole plan's first. */
export function goalsOf({ goals }: Assessment): readonly Goal[] {
  const set = goals.flatMap(({ targetSeconds, verdict, ...goal }): Goal[] =>
    targetSeconds === undefined || verdict === "not set" ? [] : [{ ...goal, targetSeconds, verdict }],
  );
  return [...set.filter(({ scope }) => scope === "whole"), ...set.filter(({ scope }) => scope !== "whole")];
}
