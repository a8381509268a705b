import type { LastRun } from "./declared";

/** *warning*: the restore could run, but somebody should know. */
export type FindingVerdict = "not ready" | "cannot be told" | "warning";

/** One finding about a restore. The code is stable; the texts are for people. */
export interface ReadyFinding {
  readonly code: string;
  readonly verdict: FindingVerdict;
  /** A few words, for a cell of a table. */
  readonly short: string;
  readonly says: string;
  /** A sentence that says what to do. */
  readonly then?: string;
  /** The reason given for a known question. */
  readonly known?: string;
}

export type Readiness = "ready" | "not ready" | "cannot be told";

/** A restore, and whether it could run now. */
export interface ReadyRestore {
  readonly plan?: string;
  readonly wave?: string;
  readonly name: string;
  readonly kind: "VmRestore" | "FileRestore";
  readonly virtualMachineId?: string;
  readonly readiness: Readiness;
  /** The rule that chooses its recovery point, in words. */
  readonly rule?: string;
  /** The named point, or the one that the rule would choose now. Absent for a rule that leaves it to chance. */
  readonly recoveryPointId?: string;
  readonly recoveryPointTakenAt?: string;
  /** The point's age by the panel's clock; the oldest point's if chance chooses. */
  readonly ageSeconds?: number;
  readonly goalSeconds?: number;
  /** Time left until the data is older than the goal; negative when it is already. */
  readonly leftSeconds?: number;
  /** When a run last completed it, with its checks passed, as it is declared now. */
  readonly provenAt?: string;
  /** The name of that run. */
  readonly provenIn?: string;
  /** The recovery time that was measured last. */
  readonly lastRecoverySeconds?: number;
  /** The outcome of its last run, as the state has it. */
  readonly lastRun: LastRun["kind"];
  /** The highest allowed recovery time. */
  readonly recoveryGoalSeconds?: number;
  /** The panel that its intent was made on. */
  readonly panel?: string;
  /** The explicit provider that it belongs to. */
  readonly provider?: string;
  /** Worst first. */
  readonly findings: readonly ReadyFinding[];
}

/** The result of `ready`, as `--json` prints it. Its schema lies beside this file. */
export interface ReadyResult {
  readonly formatVersion: 1;
  readonly lookedAt: string;
  readonly panel: string;
  readonly stack?: string;
  readonly project?: string;
  readonly verdict: "ready" | "not ready" | "cannot be told";
  readonly counts: {
    readonly ready: number;
    readonly notReady: number;
    readonly cannotBeTold: number;
    /** Known questions and warnings. */
    readonly known: number;
  };
  readonly requests: number;
  /** The time within which each restore has to be proven, if one was given. */
  readonly provenWithinSeconds?: number;
  /** In the order of plans and waves; restores without a plan come last. */
  readonly restores: readonly ReadyRestore[];
  readonly plans: readonly ReadyPlan[];
  /** Machines of the inventory that no restore of the stack names. Absent without an inventory. */
  readonly withoutRestore?: readonly string[];
  /** Parts of the state that cannot be read, and may declare further restores. */
  readonly unreadable: readonly string[];
}

/** How long a plan will take, by what was measured last: the slowest machine of each wave, wave after wave. */
export interface ReadyPlan {
  readonly plan: string;
  /** Absent while a restore of the plan was never measured. */
  readonly expectedSeconds?: number;
  /** The number of its restores that were never measured. */
  readonly notMeasured: number;
  readonly goalSeconds?: number;
}
