import type { Report } from "../../../report";

/** Repeats the same machines under other names. */
export function times(made: Report, copies: number): Report {
  const all = <T>(items: readonly T[], again: (item: T, mark: string) => T): readonly T[] =>
    Array.from({ length: copies }, (_, copy) => items.map((item) => again(item, `-${String(copy)}`))).flat();
  return {
    ...made,
    goals: all(made.goals, (goal, mark) =>
      goal.restore === undefined ? goal : { ...goal, restore: goal.restore + mark },
    ),
    waves: made.waves.map((wave) => ({
      ...wave,
      restores: all(wave.restores, (step, mark) => ({ ...step, name: step.name + mark })),
    })),
  };
}
