import { durationWithin } from "./duration";
import { childPath, reportUnknown, type ReadContext, readObject } from "./problems";

/** A data age may exceed any wait: restoring backups of a quarter ago is a plan too. */
const maxGoalSeconds = 3_660 * 86_400;

const goalNames = { recoveryTime: "recoveryTimeSeconds", dataAge: "dataAgeSeconds" } as const;

/** Reads goals, in seconds. They decide the verdict, so they must be plain values that the preview can check. */
export function readGoals(
  value: unknown,
  path: string,
  context: ReadContext,
  known: readonly (keyof typeof goalNames)[] = ["recoveryTime", "dataAge"],
): StoredGoals | undefined {
  if (value === undefined || value === null) return undefined;
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return undefined;
  }
  const given = readObject(value, path, known, context);
  if (given === undefined) return undefined;
  const goals: { -readonly [K in keyof StoredGoals]: StoredGoals[K] } = {};
  for (const name of known) {
    const seconds = readDuration(
      given[name],
      childPath(path, name),
      { minSeconds: 1, maxSeconds: maxGoalSeconds },
      context,
    );
    if (seconds !== undefined) goals[goalNames[name]] = seconds;
  }
  return goals;
}

export function readDuration(
  value: unknown,
  path: string,
  bounds: { readonly minSeconds: number; readonly maxSeconds?: number },
  context: ReadContext,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return undefined;
  }
  const reading = durationWithin(bounds)(value);
  if ("value" in reading) return reading.value;
  context.problems.add(path, reading.problem);
  return undefined;
}

/** The goals of a restore: each its own first, then its wave's, then the plan's. */
export function effectiveGoals(...nearestFirst: readonly (StoredGoals | undefined)[]): StoredGoals {
  return Object.assign({}, ...[...nearestFirst].reverse()) as StoredGoals;
}

export interface StoredGoals {
  readonly recoveryTimeSeconds?: number;
  readonly dataAgeSeconds?: number;
}
