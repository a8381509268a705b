import { parseDuration } from "./duration";
import { at, mustBePlain, type Reader, readObject } from "./problems";

/** A data age may be longer than any wait: backups of a quarter ago are a plan, too. */
const longestGoalSeconds = 3_660 * 86_400;

const goalNames = { recoveryTime: "recoveryTimeSeconds", dataAge: "dataAgeSeconds" } as const;

/** Goals, in seconds. They decide what the run comes to, so they are plain values that the preview can check. */
export function readGoals(
  value: unknown,
  path: string,
  reader: Reader,
  known: readonly (keyof typeof goalNames)[] = ["recoveryTime", "dataAge"],
): StoredGoals | undefined {
  if (value === undefined || value === null) return undefined;
  if (reader.isOpen(value)) {
    mustBePlain(path, reader);
    return undefined;
  }
  const given = readObject(value, path, known, reader);
  if (given === undefined) return undefined;
  const goals: { -readonly [K in keyof StoredGoals]: StoredGoals[K] } = {};
  for (const name of known) {
    const seconds = readDuration(
      given[name],
      at(path, name),
      { minSeconds: 1, maxSeconds: longestGoalSeconds },
      reader,
    );
    if (seconds !== undefined) goals[goalNames[name]] = seconds;
  }
  return goals;
}

export function readDuration(
  value: unknown,
  path: string,
  bounds: { readonly minSeconds: number; readonly maxSeconds?: number },
  reader: Reader,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (reader.isOpen(value)) {
    mustBePlain(path, reader);
    return undefined;
  }
  const parsed = parseDuration(value, bounds);
  if ("seconds" in parsed) return parsed.seconds;
  reader.problems.add(path, ` ${parsed.problem}`);
  return undefined;
}

/** What applies to a restore: its own goals first, then its wave's, then the plan's, each goal by itself. */
export function goalsInForce(...nearestFirst: readonly (StoredGoals | undefined)[]): StoredGoals {
  return Object.assign({}, ...[...nearestFirst].reverse()) as StoredGoals;
}

export interface StoredGoals {
  readonly recoveryTimeSeconds?: number;
  readonly dataAgeSeconds?: number;
}
