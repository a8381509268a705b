import type { AssessedRun } from "../../../provider/plan/verdict";
import type { StoredPlanRestore, StoredStep, StoredWave } from "../../../provider/plan/stored";

export const restoreAsGiven: StoredPlanRestore = { virtualMachineId: "42", recoveryPointId: "7", checks: [] };

/** A run of a plan with one wave, `data`, and in it the restores of these names. */
export function runOf(names: readonly string[], changes: Partial<AssessedRun["asGiven"]> = {}): AssessedRun {
  return {
    plan: "shop",
    run: "first",
    asGiven: {
      onFailure: "stop",
      onMissedGoal: "fail",
      waves: [{ name: "data", restores: Object.fromEntries(names.map((name) => [name, restoreAsGiven])) }],
      ...changes,
    },
  };
}

export function waveOf(restores: Readonly<Record<string, StoredStep>>, changes: Partial<StoredWave> = {}): StoredWave {
  return {
    formatVersion: 1,
    plan: "shop",
    run: "first",
    index: 0,
    name: "data",
    round: 0,
    restores,
    startedAt: "2026-11-20T10:00:00.000Z",
    endedAt: "2026-11-20T10:20:00.000Z",
    reasons: [],
    takenOut: {},
    lastProofs: {},
    isMadeAnew: false,
    ...changes,
  };
}

/** A restore that took ten minutes, two of them in the queue. */
export function step(changes: Partial<StoredStep> = {}): StoredStep {
  return {
    kind: "VmRestore",
    urn: "urn:pulumi:dev::drill::recovery:index:RecoveryPlan$pulumi-nodejs:dynamic/recovery:VmRestore::shop-db",
    virtualMachineId: "42",
    recoveryPointId: "7",
    status: "complete",
    transactionId: "5001",
    transactionIds: ["5001"],
    requestedAt: "2026-11-20T10:00:00Z",
    startedAt: "2026-11-20T10:02:00Z",
    finishedAt: "2026-11-20T10:10:00Z",
    durationSeconds: 600,
    queuedSeconds: 120,
    noticedAt: "2026-11-20T10:10:04.000Z",
    goals: {},
    checks: [],
    adopted: false,
    warnings: [],
    posting: "intent-1/posted-after-5000",
    ...changes,
  };
}

export const check = {
  kind: "http",
  target: "https://shop.example.com/health",
  everySeconds: 5,
  withinSeconds: 300,
  afterSeconds: 0,
} as const;
