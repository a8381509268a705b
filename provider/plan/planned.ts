import { goalsInForce } from "./read/goals";
import { hidden } from "./terms/hidden";
import type {
  StoredCheck,
  StoredCheckPlan,
  StoredGoals,
  StoredPlanRestore,
  StoredRun,
  StoredStep,
  StoredWave,
} from "./terms/stored";

/** A restore of the plan, and what is known of it in this run. */
export interface Planned {
  readonly wave: string;
  readonly name: string;
  readonly goals: StoredGoals;
  readonly step?: StoredStep;
}

/**
 * Each restore of the plan with what was stored of it. A wave may be of another run, or of the plan as it was before a change: `--target`
 * leaves out whatever it does not name. What such a wave holds says nothing about what is planned now.
 */
export function plannedRestores(
  { run, asGiven }: Pick<StoredRun, "run" | "asGiven">,
  waves: readonly StoredWave[],
): readonly Planned[] {
  return asGiven.waves.flatMap((wave, index) => {
    const rounds = waves.filter((stored) => stored.run === run && stored.index === index && stored.name === wave.name);
    const steps = new Map(rounds.flatMap(({ restores }) => Object.entries(restores)));
    return Object.entries(wave.restores).map(([name, restore]) => {
      const stored = steps.get(name);
      const step = stored && isOf(restore, stored) ? withAllChecks(restore.checks, stored) : undefined;
      const goals = goalsInForce(restore.goals, wave.goals, asGiven.goals);
      return { wave: wave.name, name, goals, ...(step && { step }) };
    });
  });
}

function isOf({ virtualMachineId, recoveryPointId, paths }: StoredPlanRestore, stored: StoredStep): boolean {
  const isSame = (planned: string, known: string): boolean => planned === hidden || planned === known;
  return (
    isSame(virtualMachineId, stored.virtualMachineId) &&
    isSame(recoveryPointId, stored.recoveryPointId) &&
    (paths === undefined ? "VmRestore" : "FileRestore") === stored.kind
  );
}

/** A check that is planned and of which nothing is stored was not run; nor was one that came to anything else than is known here. */
function withAllChecks(planned: readonly StoredCheckPlan[], step: StoredStep): StoredStep {
  const missing = planned.filter(({ kind, target }, index) => {
    const stored = step.checks[index];
    return stored?.kind !== kind || stored.target !== target;
  });
  const notRun = (check: StoredCheckPlan): StoredCheck => ({ ...check, result: "not run", tries: 0 });
  const stored = step.checks.map((check) =>
    check.result === "passed" || check.result === "failed" ? check : { ...check, result: "not run" as const },
  );
  return { ...step, checks: [...stored, ...missing.map(notRun)] };
}
