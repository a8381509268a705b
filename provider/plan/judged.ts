import type { StoredCheck } from "../inputs/read-check";
import { effectiveGoals, type StoredGoals } from "../inputs/read-goals";
import type { StoredPlan, StoredRun, StoredStep, StoredWave } from "./stored";

/** The run of a verdict: what was asked, the form of each restore that counts, and how each stands in the state. */
export interface JudgedRun extends Pick<StoredRun, "plan" | "run" | "incidentAt"> {
  readonly asked: JudgedPlan;
  /** Unknown in a preview in which the run changes, as are history and start. */
  readonly revisions?: Readonly<Record<string, string>>;
  readonly postings?: Readonly<Record<string, string>>;
  /** Restores whose machine was restored again since. */
  readonly overwritten?: Readonly<Record<string, boolean>>;
  readonly history?: StoredRun["history"];
  readonly startedAt?: string;
}

/** The part of a plan that a verdict rests on. */
export interface JudgedPlan extends Pick<StoredPlan, "onMissedGoal" | "wholeGoals"> {
  readonly waves: readonly {
    readonly name: string;
    readonly restores: Readonly<Record<string, JudgedRestore>>;
  }[];
}

interface JudgedRestore {
  readonly goals: StoredGoals;
  readonly recoveryPointTakenAt?: string;
}

export function judgedPlan({ goals, wholeGoals, onMissedGoal, waves }: StoredPlan): JudgedPlan {
  return {
    onMissedGoal,
    ...(wholeGoals && { wholeGoals }),
    waves: waves.map((wave) => ({
      name: wave.name,
      restores: Object.fromEntries(
        Object.entries(wave.restores).map(([name, { goals: own, recoveryPointTakenAt }]) => [
          name,
          {
            goals: effectiveGoals(own, wave.goals, goals),
            ...(recoveryPointTakenAt !== undefined && { recoveryPointTakenAt }),
          },
        ]),
      ),
    })),
  };
}

/** The part of a stored wave that a verdict rests on. */
export interface JudgedWave extends Pick<StoredWave, "run" | "name" | "earlierTries"> {
  readonly restores: Readonly<Record<string, JudgedStep>>;
}

export interface JudgedStep extends Pick<StoredStep, (typeof judgedFields)[number]> {
  readonly checks: readonly JudgedCheck[];
}

type JudgedCheck = Pick<StoredCheck, (typeof judgedCheckFields)[number]>;

const judgedFields = [
  "revision",
  "posting",
  "runStartedAt",
  "isRecordedLate",
  "status",
  "transactionIds",
  "requestedAt",
  "finishedAt",
  "durationSeconds",
  "checkedSeconds",
  "recoveryPointTakenAt",
  "adopted",
  "warnings",
] as const;

const judgedCheckFields = ["kind", "name", "target", "result", "reason", "addedLater"] as const;

/** Leaves out of each record what no verdict rests on: that is stored with its wave. Under mocks of a program's test no wave has a result. */
export function judgedWave({
  run,
  name,
  restores,
  earlierTries = {},
}: Omit<StoredWave, "restores"> & Partial<Pick<StoredWave, "restores">>): JudgedWave {
  const steps = Object.entries(restores ?? {}).map(([restore, step]) => [restore, judgedStep(step)] as const);
  return { run, name, restores: Object.fromEntries(steps), earlierTries };
}

function judgedStep(step: StoredStep): JudgedStep {
  return { ...pick(step, judgedFields), checks: step.checks.map((check) => pick(check, judgedCheckFields)) };
}

function pick<Of extends object, Name extends keyof Of>(value: Of, names: readonly Name[]): Pick<Of, Name> {
  const known = names.filter((name) => value[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, value[name]])) as Pick<Of, Name>;
}
