import { durationWithin } from "../../provider/inputs/duration";
import { childPath, isGiven, type ReadContext, readObject, reportUnknown } from "../../provider/inputs/problems";
import type { Goals } from "../judge/stored";

/** A data age may exceed any wait: restoring backups of a quarter ago is a plan too. */
const maxGoalSeconds = 3_660 * 86_400;

const goalNames = { recoveryTime: "recoveryTimeSeconds", dataAge: "dataAgeSeconds" } as const;

/** Reads goals, in seconds. They decide the verdict, so they must be plain values that the preview can check. */
export function readGoals(
  value: unknown,
  path: string,
  context: ReadContext,
  known: readonly (keyof typeof goalNames)[] = ["recoveryTime", "dataAge"],
): Goals | undefined {
  if (!isGiven(value)) return undefined;
  const given = readObject(value, path, known, context);
  if (given === undefined) return undefined;
  const bounds = { minSeconds: 1, maxSeconds: maxGoalSeconds };
  const read = known.flatMap((name) => {
    const seconds = readDuration(given[name], childPath(path, name), bounds, context);
    return seconds === undefined ? [] : [[goalNames[name], seconds]];
  });
  return Object.fromEntries(read) as Goals;
}

export function readDuration(
  value: unknown,
  path: string,
  bounds: { readonly minSeconds: number; readonly maxSeconds?: number },
  context: ReadContext,
): number | undefined {
  if (!isGiven(value)) return undefined;
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return undefined;
  }
  const reading = durationWithin(bounds)(value);
  if ("value" in reading) return reading.value;
  context.problems.add(path, reading.problem);
  return undefined;
}
