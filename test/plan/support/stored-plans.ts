import { judgedPlan, type JudgedRun } from "../../../provider/plan/judged";
import type { StoredPlan, StoredPlanRestore, StoredStep, StoredWave } from "../../../provider/plan/stored";

export const restoreAsGiven: StoredPlanRestore = { virtualMachineId: "42", recoveryPointId: "7", checks: [] };

/** A plan with one wave, `data`, and in it the restores of these names. */
export function planOf(names: readonly string[], changes: Partial<StoredPlan> = {}): StoredPlan {
  return {
    onFailure: "stop",
    onMissedGoal: "fail",
    waves: [{ name: "data", restores: Object.fromEntries(names.map((name) => [name, restoreAsGiven])) }],
    ...changes,
  };
}

/** The revision of every restore of `runOf`, and of every `step`. */
export const revision = "run-1/1";

/** A run of such a plan, at the revision of its steps. */
export function runOf(names: readonly string[], changes: Partial<StoredPlan> = {}): JudgedRun {
  const asGiven = planOf(names, changes);
  const all = asGiven.waves.flatMap(({ restores }) => Object.keys(restores));
  return {
    plan: "shop",
    run: "first",
    asked: judgedPlan(asGiven),
    revisions: Object.fromEntries(all.map((name) => [name, revision])),
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
    earlierTries: {},
    lastProofs: {},
    ...changes,
  };
}

/** A restore that took ten minutes, two of them in the queue. */
export function step(changes: Partial<StoredStep> = {}): StoredStep {
  return {
    kind: "VmRestore",
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
    checks: [],
    adopted: false,
    warnings: [],
    posting: "intent-1/posted-after-5000",
    revision,
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
