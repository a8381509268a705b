import type * as pulumi from "@pulumi/pulumi";
import type { ReadPlan, ReadRestore } from "../plan/read/read-plan";
import { shown, shownAs } from "./shown";
import { checksShown } from "./plan-wave-inputs";
import { withDatesAsText } from "./triggers";

/** The plan as it is remembered: in one spelling, with the plan's own defaults, and without anything that may be secret. */
export function asGiven({ goals, wholeGoals, onFailure, onMissedGoal, waves }: ReadPlan): pulumi.Inputs {
  return {
    ...(goals && { goals }),
    ...(wholeGoals && { wholeGoals }),
    onFailure,
    onMissedGoal,
    waves: waves.map((wave) => ({
      name: wave.name,
      ...(wave.goals && { goals: wave.goals }),
      restores: Object.fromEntries(wave.restores.map((restore) => [restore.name, restoreAsGiven(restore)])),
    })),
  };
}

function restoreAsGiven(restore: ReadRestore): pulumi.Inputs {
  const { virtualMachineId, recoveryPointId, triggers, ...others } = restore.inputs;
  return {
    ...(shown(others) as pulumi.Inputs),
    // 42 and "42" are one machine.
    virtualMachineId: shownAs(virtualMachineId, String),
    recoveryPointId: shownAs(recoveryPointId, String),
    ...(triggers !== undefined && { triggers: shown(withDatesAsText(triggers)) }),
    ...(restore.recoveryPointTakenAt !== undefined && { recoveryPointTakenAt: shown(restore.recoveryPointTakenAt) }),
    ...(restore.goals && { goals: restore.goals }),
    checks: checksShown(restore),
  };
}
