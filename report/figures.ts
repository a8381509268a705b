import type { RestoreState } from "../drills/judge/history";
import { omitUndefined } from "../provider/plain/plain";
import type { Check, Counts, Measured, Step } from "./model/model";

export function countsOf(steps: readonly Step[]): Counts {
  const states: Partial<Record<RestoreState, number>> = {};
  for (const { state } of steps) states[state] = (states[state] ?? 0) + 1;
  const checks = steps.flatMap((step) => step.checks);
  const having = (result: Check["result"]): number => checks.filter((check) => check.result === result).length;
  return {
    planned: steps.length,
    complete: states.complete ?? 0,
    states,
    checks: { passed: having("passed"), failed: having("failed"), notRun: having("not run") },
  };
}

export function measuredOf(steps: readonly Step[], recoveryTimeSeconds?: number): Measured {
  return omitUndefined<Measured>({
    recoveryTimeSeconds,
    slowest: highest(steps, ({ recoveredSeconds }) => recoveredSeconds),
    oldestData: highest(steps, ({ dataAgeSeconds }) => dataAgeSeconds),
  });
}

function highest(steps: readonly Step[], of: (step: Step) => number | undefined): Measured["slowest"] {
  let most: Measured["slowest"];
  for (const step of steps) {
    const seconds = of(step);
    if (seconds !== undefined && (most === undefined || seconds > most.seconds)) most = { restore: step.name, seconds };
  }
  return most;
}
