import { isEveryQuestionKnown } from "./assess";
import { type Gauge, type Labels, unixSeconds } from "../parts/metrics";
import type { ReadyResult, ReadyRestore } from "./result";

/** What `ready` found, as gauges. */
export function metricsOf(ready: ReadyResult): readonly Gauge[] {
  const { restores, plans, withoutRestore } = ready;
  const stack: Labels = { project: ready.project, stack: ready.stack };
  const labels = labelsIn(restores, stack);
  const ofStack = (name: string, help: string, value: number | boolean | undefined): Gauge => ({
    name,
    help,
    samples: [{ labels: stack, value }],
  });
  const ofRestores = (
    name: string,
    help: string,
    valueOf: (restore: ReadyRestore) => number | boolean | undefined,
  ): Gauge => ({
    name,
    help,
    samples: restores.map((one, index) => ({ labels: labels[index] ?? {}, value: valueOf(one) })),
  });
  const ofPlans = (
    name: string,
    help: string,
    valueOf: (plan: ReadyResult["plans"][number]) => number | undefined,
  ): Gauge => ({
    name,
    help,
    samples: plans.map((one) => ({ labels: { ...stack, plan: one.plan }, value: valueOf(one) })),
  });
  return [
    ofStack("ready", "Whether everything that counts is ready: 1 or 0.", ready.verdict === "ready"),
    ofStack(
      "ready_looked_timestamp_seconds",
      "When the panel was asked, in seconds since 1970.",
      unixSeconds(ready.lookedAt),
    ),
    ofStack(
      "machines_without_restore",
      "Machines of the inventory that no restore of the stack names.",
      withoutRestore?.length,
    ),
    ofRestores(
      "restore_ready",
      "Whether the restore could run now: 1 or 0. Without a sample it cannot be told.",
      ({ readiness }) => (readiness === "cannot be told" ? undefined : readiness === "ready"),
    ),
    ofRestores(
      "restore_cannot_be_told",
      "Whether it cannot be told if the restore could run now: 1 or 0. Accepted questions do not count.",
      (one) => one.readiness === "cannot be told" && !isEveryQuestionKnown(one),
    ),
    ofRestores(
      "restore_point_age_seconds",
      "Age of the recovery point that would be restored, by the panel's clock.",
      ({ ageSeconds }) => ageSeconds,
    ),
    ofRestores("restore_point_age_goal_seconds", "Highest allowed age of the data.", ({ goalSeconds }) => goalSeconds),
    ofRestores(
      "restore_proven_timestamp_seconds",
      "When a run last completed the restore with its checks passed, as it is declared now, in seconds since 1970.",
      ({ provenAt }) => unixSeconds(provenAt),
    ),
    ofRestores(
      "restore_last_complete",
      "Whether the last run has completed the restore: 1 or 0.",
      ({ lastRun }) => lastRun === "complete",
    ),
    ofRestores(
      "restore_last_recovery_seconds",
      "Recovery time that was measured last.",
      ({ lastRecoverySeconds }) => lastRecoverySeconds,
    ),
    ofRestores(
      "restore_recovery_goal_seconds",
      "Highest allowed recovery time.",
      ({ recoveryGoalSeconds }) => recoveryGoalSeconds,
    ),
    ofPlans(
      "plan_expected_recovery_seconds",
      "How long the plan will take by what was measured last.",
      ({ expectedSeconds }) => expectedSeconds,
    ),
    ofPlans(
      "plan_recovery_goal_seconds",
      "Highest allowed recovery time of the plan.",
      ({ goalSeconds }) => goalSeconds,
    ),
  ];
}

/** The labels of each restore. One that is like another in all of them gets a number: a series may stand in a file once. */
function labelsIn(restores: readonly ReadyRestore[], stack: Labels): readonly Labels[] {
  const seen = new Map<string, number>();
  return restores.map(({ plan, wave, name, kind, virtualMachineId }) => {
    const labels = { ...stack, plan, wave, restore: name, kind, machine: virtualMachineId };
    const key = JSON.stringify(labels);
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return nth === 1 ? labels : { ...labels, restore: `${name} ${String(nth)}` };
  });
}
